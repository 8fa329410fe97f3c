import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import type { Services } from '#server/context.ts';
import { serve } from '#server/serve.ts';
import { changeView, removeView, saveView, viewsOf } from './views.ts';

/** Views that people keep of lists. */
export function serveSavedViews(app: FastifyInstance, services: Services): void {
  serve(app, services, calls.savedViews, ({ principal }) => viewsOf(services, principal));
  serve(app, services, calls.saveView, ({ principal, body }) => saveView(services, principal, body));
  serve(app, services, calls.changeView, ({ principal, params, body }) => changeView(services, principal, params.id, body));
  serve(app, services, calls.removeView, ({ principal, params }) => removeView(services, principal, params.id));
}
