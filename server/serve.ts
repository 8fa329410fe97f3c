import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { constants } from '#models/constants.ts';
import { type Access, type Call, takesForm } from '#models/define-call.ts';
import { requireAccess, requireLicensed } from './access/require.ts';
import type { Principal, Services } from './context.ts';
import { urgently } from './db/reserve.ts';
import { readBody, readParams, readQueryString } from './http/input.ts';
import { signingOf } from './http/picture-links.ts';
import { readForm, removeUploads, type Upload } from './http/form.ts';
import { HttpError } from './http-error.ts';

/** All of the API lies below this path. */
export const base = '/api/v0';

/** A call as the server registers it: one of models/api.ts, or a plain one of an area, with its list grammar. */
export interface ServedCall<P extends z.ZodType = z.ZodType, B extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> extends Call<P, B, A> {
  /** Largest body in bytes, when not the default (1 MiB; 10 MiB for forms with files). */
  bodyLimit?: number;
}

/** Everything a handler gets: who asks, what they sent (checked), and the request itself for headers. */
export interface Asked<C extends ServedCall, Who = Principal> {
  services: Services;
  principal: Who;
  params: z.output<C['params']>;
  body: z.output<C['body']>;
  query: Record<string, string>;
  /** The files of a form by field name; they lie on the disk until the answer. */
  files: Record<string, Upload>;
  request: FastifyRequest;
  reply: FastifyReply;
  log: FastifyBaseLogger;
}

/** A page of a list: answered as `{data, meta}`. */
export class Page<T> {
  readonly rows: T[];
  readonly meta: { page: number; size: number; total: number };
  constructor(rows: T[], meta: { page: number; size: number; total: number }) {
    this.rows = rows;
    this.meta = meta;
  }
}

type Answer<C extends ServedCall> = z.input<C['answer']> | Page<unknown> | (null extends z.input<C['answer']> ? void : never);
type Handler<C extends ServedCall, Who> = (asked: Asked<C, Who>) => Promise<Answer<C>> | Answer<C>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use the route. A route without it makes the building of the app fail. */
    access?: Access;
    /** The call the route serves, for OpenAPI. */
    call?: ServedCall;
  }
  interface FastifyRequest {
    principal: Principal | null;
    input: { params: unknown; body: unknown; query: Record<string, string>; files: Record<string, Upload> } | null;
    /** Where files that came with the request lie, until it is answered. */
    uploads: string[] | null;
  }
}

const toPattern = (path: string): string => `${base}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

/** The trail's word for what a call is about. */
const areaOf = (access: Access): string => (typeof access === 'string' ? 'licenses' : 'codes' in access ? access.about : access.area);

/** Lets a request through to its call: who asks may, it is licensed, and the disk can hold what it writes. */
async function admit(request: FastifyRequest, services: Services, call: ServedCall): Promise<void> {
  if (call.demo && !services.config.demo) throw new HttpError('not_found');
  await requireAccess(request, services, call.access, call);
  if (services.reserve?.full && call.method !== 'GET' && !call.urgent) throw new HttpError('storage_full');
  if (call.feature && request.principal) await requireLicensed(services, request.principal, call.feature, areaOf(call.access));
}

function register<C extends ServedCall>(app: FastifyInstance, services: Services, call: C, handler: Handler<C, Principal | null>): void {
  const signIn = signingOf(call.answer);
  const outward = (answer: unknown): unknown => checked(services, call, signIn ? signIn(answer, services) : answer);
  app.route({
    method: call.method,
    url: toPattern(call.path),
    config: { access: call.access, call },
    ...(call.bodyLimit !== undefined && { bodyLimit: call.bodyLimit }),
    onRequest: (request) => admit(request, services, call),
    ...(takesForm(call) && { onResponse: removeUploads }),
    preValidation: [
      // What follows, up to the answer, is done within.
      (_request, _reply, done) => (call.urgent ? urgently(done) : done()),
      async (request, reply) => {
        const params = readParams(call.params, request.params);
        const query = readQueryString(call.query, request.query);
        const form = takesForm(call)
          ? await readForm(request, reply, services.config, call.files ?? [], call.optionalFiles, call.largeFiles && constants.backupLimitBytes)
          : { fields: request.body, files: {} };
        request.input = { params, query, body: readBody(call.body, form.fields), files: form.files };
      },
    ],
    handler: async (request, reply) => {
      const { params, body, query, files } = request.input ?? { params: {}, body: undefined, query: {}, files: {} };
      const asked = { services, principal: request.principal, params, body, query, files, request, reply, log: request.log } as Asked<
        C,
        Principal | null
      >;
      void reply.code(call.success?.[0] ?? 200);
      const answer = await Promise.resolve(handler(asked)).finally(() => removeUploads(request));
      if (call.download || reply.sent) return reply;
      if (answer instanceof Page) return reply.send({ data: outward(answer.rows), meta: answer.meta });
      return reply.send({ data: outward(answer ?? null) });
    },
  });
}

/** In tests an answer that is not what the contract says is a fault of the server. */
const checked = (services: Services, call: ServedCall, answer: unknown): unknown => {
  if (!services.config.checkAnswers) return answer;
  const result = call.answer.safeParse(JSON.parse(JSON.stringify(answer)));
  if (!result.success) throw new Error(`${call.method} ${call.path} answers what the contract does not say: ${result.error.message}`);
  return answer;
};

/**
 * Registers a call for people who are signed in: access, validation, OpenAPI and audit of refusals come from the call.
 * The handler answers what stands inside `data`; a Page is answered with its `meta`; nothing is answered as null. A
 * download sends its own reply.
 */
export function serve<C extends ServedCall>(app: FastifyInstance, services: Services, call: C, handler: Handler<C, Principal>): void {
  if (call.access === 'anyone') throw new Error(`${call.path} is open to anyone: register it with serveToAnyone`);
  register(app, services, call, (asked) => {
    const { principal } = asked;
    if (!principal) throw new Error(`${call.path} was reached without anybody signed in`);
    return handler({ ...asked, principal });
  });
}

/** Registers a call that needs no session. */
export function serveToAnyone<C extends ServedCall>(app: FastifyInstance, services: Services, call: C, handler: Handler<C, Principal | null>): void {
  if (call.access !== 'anyone') throw new Error(`${call.path} asks for a session: register it with serve`);
  register(app, services, call, handler);
}
