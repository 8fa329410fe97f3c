import type { Plugin } from 'vite';

const processors = /^ {4}inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+\(inst, ctx, json, params\);\n/gm;
const imported = /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} from .+;\n/m;
const missing = `const createToJSONSchemaMethod = () => () => { throw new Error('JSON schemas are made by the server alone'); };
const createStandardJSONSchemaMethod = createToJSONSchemaMethod;
`;

/** Zod's schema classes without what describes them as JSON schemas. */
export function withoutJsonSchema(code: string): string {
  const removed = code.match(processors)?.length ?? 0;
  if (removed < 30 || !imported.test(code)) throw new Error('zod is built differently: look at scripts/zod-without-json-schema.ts');
  return code.replaceAll(processors, '').replace(imported, missing);
}

/** Every schema of zod refers to its JSON schema, so that no bundler leaves that code out; only the server describes its routes. */
export function zodWithoutJsonSchema(): Plugin {
  return {
    name: 'zod-without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler: (code) => ({ code: withoutJsonSchema(code), map: null }),
    },
  };
}
