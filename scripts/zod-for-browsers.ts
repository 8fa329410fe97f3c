import type { Plugin } from 'vite';

const processors = /^ {4}inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+\(inst, ctx, json, params\);\n/gm;
const imported = /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} from .+;\n/m;
const missing = `const createToJSONSchemaMethod = () => () => { throw new Error('JSON schemas are made by the server alone'); };
const createStandardJSONSchemaMethod = createToJSONSchemaMethod;
`;

const english = /^import en from .+;\n/m;
/** All that models/issues.ts reads of a message that zod made: whether there was a value. */
export const localeError = (issue: { input?: unknown }): string =>
  issue.input === undefined || issue.input === null ? 'received undefined' : 'invalid';

/** Zod's schema classes without what describes them as JSON schemas, and without zod's English sentences. */
export function forBrowsers(code: string): string {
  const removed = code.match(processors)?.length ?? 0;
  if (removed < 30 || !imported.test(code) || !english.test(code)) throw new Error('zod is built differently: look at scripts/zod-for-browsers.ts');
  return code
    .replaceAll(processors, '')
    .replace(imported, missing)
    .replace(english, `const en = () => ({ localeError: ${String(localeError)} });\n`);
}

/**
 * Every schema of zod refers to its JSON schema and to English, so that no bundler leaves that code out. Only the server describes its routes, and
 * no person sees a sentence of zod's: models/issues.ts says in the contract's words what is wrong.
 */
export function zodForBrowsers(): Plugin {
  return {
    name: 'zod-for-browsers',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler: (code) => ({ code: forBrowsers(code), map: null }),
    },
  };
}
