import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { HomeFigures } from '#models/home.ts';
import type { Principal, Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { readAttention } from './attention.ts';
import { readFigures } from './figures.ts';

/** Figures are kept so long for each person, ms; a person whose rights changed gets fresh ones. */
const storedFor = 30_000;
const mostStored = 500;

/** Reads the figures of a person, and answers the same for a while. */
function storeFigures(services: Services): (principal: Principal) => Promise<HomeFigures> {
  const stored = new Map<string, { at: number; figures: Promise<HomeFigures> }>();
  return (principal) => {
    const now = services.now().getTime();
    const key = `${principal.id} ${principal.profileVersion}`;
    const known = stored.get(key);
    if (known && now - known.at < storedFor) return known.figures;
    stored.delete(key);
    const [oldest] = stored.keys();
    if (stored.size >= mostStored && oldest !== undefined) stored.delete(oldest);
    const figures = readFigures(services, principal);
    stored.set(key, { at: now, figures });
    figures.catch(() => stored.delete(key));
    return figures;
  };
}

/** What the home page asks for besides the lists. */
export function serveHome(app: FastifyInstance, services: Services): void {
  const figuresOf = storeFigures(services);
  serve(app, services, calls.attention, ({ principal }) => readAttention(services, principal));
  serve(app, services, calls.homeFigures, ({ principal }) => figuresOf(principal));
}
