import type { FastifyInstance } from 'fastify';
import type { ServedCall } from '../serve.ts';

/** A route as OpenAPI and the 405 answer need it. */
interface KnownRoute {
  url: string;
  methods: string[];
  shape: RegExp;
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const shapeOf = (url: string): RegExp => new RegExp(`^${url.split(/:\w+/).map(escape).join('[^/]+')}$`);

/** Watches all routes being registered: one without an access rule stops the building of the app. */
export function collectRoutes(app: FastifyInstance): { methodsOf: (path: string) => string[]; served: ServedCall[] } {
  const known: KnownRoute[] = [];
  const served: ServedCall[] = [];
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.access) throw new Error(`${[method].flat().join(', ')} ${url} has no access rule; nothing is open by default`);
    if (!url.includes('*')) known.push({ url, methods: [method].flat(), shape: shapeOf(url) });
    if (config.call && !served.includes(config.call)) served.push(config.call);
  });
  const methodsOf = (path: string) => [...new Set(known.filter(({ shape }) => shape.test(path)).flatMap(({ methods }) => methods))].toSorted();
  return { methodsOf, served };
}
