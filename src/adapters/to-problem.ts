import { HTTPError, TimeoutError } from 'ky';
import { isWireCode, type Problem, type WireCode } from '#models/problem.ts';

/** What a failed request would have done: reading may simply be repeated, writing may have been done nevertheless. */
export type Purpose = 'read' | 'write';

const byStatus: Record<number, WireCode> = {
  401: 'not_authorized',
  403: 'forbidden',
  404: 'not_found',
  412: 'conflict',
  413: 'too_large',
  415: 'unsupported_media',
  429: 'too_many_requests',
  503: 'unavailable',
};

interface FailureBody {
  message?: unknown;
  error?: { code?: unknown; message?: unknown } | null;
  data?: unknown;
}
const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The data of a refusal, and with it the seconds after which the server asks to try again (Retry-After). */
function dataOf(response: Response, data: unknown): unknown {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  if (!Number.isFinite(seconds) || Array.isArray(data) || (data !== undefined && (typeof data !== 'object' || data === null))) return data;
  return { ...data, seconds };
}

/** Reads a refusal (spec B8): its message or its error's message, its code or the one its status stands for, its data. */
async function problemIn(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => null)) as FailureBody | null;
  const message = asText(body?.message) ?? asText(body?.error?.message);
  const code = isWireCode(body?.error?.code) ? body.error.code : (byStatus[response.status] ?? (response.status >= 500 ? 'internal' : 'bad_answer'));
  const data = dataOf(response, body?.data);
  return { code, status: response.status, ...(message !== undefined && { message }), ...(data !== undefined && { data }) };
}

/** Turns whatever a request failed with into a problem; a write whose answer was lost may have been done, and says so. */
export async function toProblem(error: unknown, purpose: Purpose, online: boolean): Promise<Problem> {
  if (error instanceof HTTPError) return problemIn(error.response);
  if (error instanceof SyntaxError) return { code: 'bad_answer' };
  if (error instanceof TimeoutError) return { code: purpose === 'write' ? 'unknown_outcome' : 'timeout' };
  if (error instanceof DOMException && error.name === 'AbortError') return { code: 'timeout' };
  return { code: purpose === 'write' && online ? 'unknown_outcome' : 'offline' };
}

/** A 401 that only means that the access token is over: refresh and ask again (spec B7). */
export const isTokenRejection = ({ status, code, message }: Problem): boolean =>
  status === 401 && (code === 'not_authorized' || (message?.includes('Unauthenticated') ?? false));
