import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { HomeFigures } from '#models/home.ts';
import type { Asker, Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { readAttention } from './attention.ts';
import { readFigures } from './figures.ts';

/** Figures are kept so long for each person, ms; a person whose rights changed gets fresh ones. */
const keptFor = 30_000;
const mostKept = 500;

/** Reads the figures of a person, and answers the same for a while. */
function keepFigures(services: Services): (asker: Asker) => Promise<HomeFigures> {
  const kept = new Map<string, { at: number; figures: Promise<HomeFigures> }>();
  return (asker) => {
    const now = services.now().getTime();
    const key = `${asker.id} ${asker.profileVersion}`;
    const known = kept.get(key);
    if (known && now - known.at < keptFor) return known.figures;
    kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    const figures = readFigures(services, asker);
    kept.set(key, { at: now, figures });
    figures.catch(() => kept.delete(key));
    return figures;
  };
}

/** What the home page asks for besides the lists. */
export function serveHome(app: FastifyInstance, services: Services): void {
  const figuresOf = keepFigures(services);
  serve(app, services, calls.attention, ({ asker }) => readAttention(services, asker));
  serve(app, services, calls.homeFigures, ({ asker }) => figuresOf(asker));
}
