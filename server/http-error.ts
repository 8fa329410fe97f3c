import { messageOf, type WireCode } from '#models/problem.ts';

/** A request that ends badly for a reason the contract names. Thrown anywhere on the server; the one error handler answers it. */
export class HttpError extends Error {
  readonly code: WireCode;
  /** What the code carries: issues of `invalid_data`, the row of `conflict`, related rows of `in_use` … */
  readonly data: unknown;
  /** Seconds after which trying again makes sense, answered as Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(code: WireCode, data?: unknown, retryAfter?: number) {
    super(messageOf(code, data));
    this.name = 'HttpError';
    this.code = code;
    this.data = data;
    this.retryAfter = retryAfter;
  }
}

/** Refuses a request because of one field, said as a validation rule at its path. */
export const invalidField = (path: (string | number)[], rule: string, params: Record<string, string | number> = {}): HttpError =>
  new HttpError('invalid_data', { issues: [{ path, rule, params }] });

/** Related rows that are not there for the principal: by the ids that were sent, for names of what somebody may not see are not told. */
export const unknownRelated = (ids: readonly string[]): HttpError => new HttpError('invalid_related', { names: [], ids });
