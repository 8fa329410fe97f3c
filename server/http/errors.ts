import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { toIssues } from '#models/issues.ts';
import { isWireCode, messageOf, statusOf, type WireCode } from '#models/problem.ts';
import { WrongQuery } from '#models/query.ts';
import { databaseHttpError } from '../db/constraint-errors.ts';
import { HttpError } from '../http-error.ts';

const byStatus: Record<number, WireCode> = {
  400: 'wrong_parameters',
  401: 'not_authorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'prohibited',
  408: 'wrong_parameters',
  413: 'too_large',
  414: 'wrong_parameters',
  415: 'unsupported_media',
  422: 'invalid_data',
  429: 'too_many_requests',
  431: 'too_large',
  503: 'unavailable',
};
const retryAfter: Partial<Record<WireCode, number>> = { unavailable: 2, too_many_requests: 10 };

/** Whatever was thrown, as a refusal the contract knows; null for what nobody foresaw. */
export function httpErrorOf(error: unknown): HttpError | null {
  if (error instanceof HttpError) return error;
  if (error instanceof z.ZodError) return new HttpError('invalid_data', { issues: toIssues(error) });
  if (error instanceof WrongQuery) return new HttpError('wrong_parameters', { parameter: error.parameter, value: error.value });
  // A body nested so deep that reading it does not fit the stack.
  if (error instanceof RangeError && /call stack/i.test(error.message))
    return new HttpError('wrong_parameters', { parameter: 'body', value: 'nested too deep' });
  const fromDatabase = databaseHttpError(error);
  if (fromDatabase) return fromDatabase;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (code === 'ENOSPC') return new HttpError('storage_full');
  const wireCode = statusCode === undefined ? undefined : byStatus[statusCode];
  return wireCode ? new HttpError(wireCode) : null;
}

const longestText = 200;
/** Issues tell a sender about their own words; a megabyte of them need not travel back. */
function shortened(data: unknown): unknown {
  if (data === null || typeof data !== 'object' || !('issues' in data) || !Array.isArray(data.issues)) return data;
  const cut = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, longestText) : value);
  return {
    ...data,
    issues: (data.issues as { path: unknown[]; params?: Record<string, unknown> }[]).slice(0, 100).map((issue) => ({
      ...issue,
      path: issue.path.map(cut),
      params: Object.fromEntries(Object.entries(issue.params ?? {}).map(([key, value]) => [key, cut(value)])),
    })),
  };
}

/** The wire's failure body. */
export const failureBody = (code: WireCode, data?: unknown) => {
  const message = messageOf(code, data);
  return { message, error: { code, message }, ...(data !== undefined && { data: shortened(data) }) };
};

/** Answers a refusal: status, body, and when to try again. */
export function answerHttpError(reply: FastifyReply, httpError: HttpError): FastifyReply {
  const wait = httpError.retryAfter ?? retryAfter[httpError.code];
  if (wait !== undefined) void reply.header('retry-after', String(Math.max(1, Math.ceil(wait))));
  return reply.code(statusOf(httpError.code)).type('application/json; charset=utf-8').send(failureBody(httpError.code, httpError.data));
}

/** The one place where errors become answers; never a stack, never SQL. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const httpError = httpErrorOf(error) ?? new HttpError('internal');
  const status = statusOf(httpError.code);
  // What the server refuses by itself, while it stops or for want of room, is no fault of its own.
  const isMeant = error instanceof HttpError && error.code !== 'internal';
  if (status >= 500 && !isMeant) request.log.error({ err: error, code: httpError.code }, 'request failed');
  else request.log.debug({ code: httpError.code, why: error instanceof Error ? error.message.slice(0, longestText) : undefined }, 'request refused');
  return answerHttpError(reply, httpError);
}

/** Installs the error handler and the answers for paths and methods that do not exist. */
export function answerErrors(app: FastifyInstance, methodsOf: (path: string) => readonly string[]): void {
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?')[0] ?? '');
    if (allowed.length === 0 || allowed.includes(request.method)) return answerHttpError(reply, new HttpError('not_found'));
    return answerHttpError(reply.header('allow', allowed.join(', ')), new HttpError('prohibited'));
  });
}

/** A wire code where one is named, for work that keeps problems as data (jobs). */
export const problemAsData = (error: unknown): { code: WireCode; message: string } => {
  const httpError = httpErrorOf(error) ?? new HttpError('internal');
  return { code: isWireCode(httpError.code) ? httpError.code : 'internal', message: httpError.message };
};
