import ky, { type Options } from 'ky';
import { constants } from '#models/constants.ts';
import type { Problem } from '#models/problem.ts';
import { isStored, type LastAnswers } from './last-answers.ts';
import { isTokenRejection, type Purpose, toProblem } from './to-problem.ts';
import type { TokenStore } from './token-store.ts';

/** One request below /api/v0. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With a leading slash: `/users/…`. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  /** Sent as If-Match; the write is refused when the row has moved on. */
  version?: number;
  /** Sent as Idempotency-Key; a repeat gets the first answer. */
  key?: string;
  /** Milliseconds to wait, or false for as long as it takes; 30 s if not given. */
  timeout?: number | false;
  signal?: AbortSignal;
  /** Needs no session: neither sends a token nor waits for one. */
  anonymous?: boolean;
  /** Asks with this token instead of the stored one, once; for the last words of a session whose tokens are forgotten. */
  token?: string;
  /** `read` for a POST that may be repeated without harm. */
  purpose?: Purpose;
}

/** What the requests need of the session: tell it of a rejected token, and learn how that ended. */
export interface SessionDoor {
  /** Resolves when there is a token to try again with, or when the session is over. */
  tokenRejected: () => Promise<'renewed' | 'over'>;
  /** The version of the profile that an answer carried. */
  profileVersion: (version: string) => void;
  /** The server could not be reached, and what was seen last (ISO) was answered instead. */
  recalled: (seenAt: string) => void;
}

/** Makes requests; every failure is rejected as a `Problem`. */
export interface Http {
  send: (request: Request) => Promise<Response>;
  /** The `data` of the answer. */
  data: <T>(request: Request) => Promise<T>;
  /** The whole body of the answer: `data` and `meta`; `seenAt` (ISO) where it is an answer of before. */
  whole: <T>(request: Request) => Promise<T>;
}

interface Deps {
  base: string;
  /** How a request goes out. */
  fetch: typeof fetch;
  tokens: Pick<TokenStore, 'read'>;
  session: SessionDoor;
  online: () => boolean;
  /** Are requests that write refused at present? Those of the session itself never are. */
  isWriteHeld: () => boolean;
  /** Takes secrets out of an answer before anybody sees it; answers the rest. */
  takeSecrets: (body: unknown) => unknown;
  /** What is answered to those who read while the server is away. */
  answers: Pick<LastAnswers, 'save' | 'read'>;
}

const purposeOf = ({ method, purpose }: Request): Purpose => purpose ?? (method === 'GET' ? 'read' : 'write');
/** Nobody answered, or a proxy that says so in the server's place. */
const isAway = ({ code, status }: Problem): boolean => code === 'offline' || status === 502 || status === 504;
const addressOf = ({ path, query }: Request): string => (query ? `${path}?${new URLSearchParams(query)}` : path);
const contentOf = ({ body, form }: Request) => (form ? { body: form } : body === undefined ? {} : { json: body });

function headersOf({ version, key }: Request, token: string | undefined): Record<string, string> {
  return {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(version !== undefined && { 'If-Match': `"${version}"` }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  };
}

const optionsOf = (request: Request, token: string | undefined, fetch: Deps['fetch']): Options => ({
  fetch,
  method: request.method,
  retry: 0,
  timeout: request.timeout ?? constants.apiTimeout,
  headers: headersOf(request, token),
  ...contentOf(request),
  ...(request.query && { searchParams: request.query }),
  ...(request.signal && { signal: request.signal }),
});

/** The bodies of answers; while the server is away, what was answered last to requests of which that is kept. */
function withLastAnswers(
  ask: (request: Request) => Promise<unknown>,
  answers: Deps['answers'],
  session: Pick<SessionDoor, 'recalled'>,
): <T>(request: Request) => Promise<T> {
  const recall = async (path: string, problem: Problem): Promise<unknown> => {
    const last = isAway(problem) ? await answers.read(path) : null;
    if (!last) return refuse(problem);
    session.recalled(last.seenAt);
    return { ...(last.body as object), seenAt: last.seenAt };
  };
  return async <T>(request: Request) => {
    const path = addressOf(request);
    if (request.method !== 'GET' || !isStored(path)) return (await ask(request)) as T;
    const body = await ask(request).then(
      (fresh) => {
        answers.save(path, fresh);
        return fresh;
      },
      (problem: Problem) => recall(path, problem),
    );
    return body as T;
  };
}

/** Opens the one door to the server. */
export function openHttp({ base, fetch, tokens, session, online, isWriteHeld, takeSecrets, answers }: Deps): Http {
  const attempt = (request: Request, token: string | undefined): Promise<Response> => ky(base + request.path, optionsOf(request, token, fetch));

  /** With the token as it stands now; a rejected one is told to the session, which answers once for all who wait. */
  const withToken = async (request: Request, mayRetry: boolean): Promise<Response> => {
    const token = tokens.read()?.token;
    try {
      return await attempt(request, token);
    } catch (error) {
      const problem = await toProblem(error, purposeOf(request), online());
      if (!isTokenRejection(problem) || !mayRetry) return refuse(problem);
      const renewedMeanwhile = tokens.read()?.token !== token && tokens.read() !== null;
      if (!renewedMeanwhile && (await session.tokenRejected()) === 'over') return refuse(problem);
      return withToken(request, false);
    }
  };

  const send = async (request: Request): Promise<Response> => {
    if (request.anonymous || request.token !== undefined)
      return attempt(request, request.token).catch(async (error: unknown) => refuse(await toProblem(error, purposeOf(request), online())));
    if (isWriteHeld() && purposeOf(request) === 'write') return refuse({ code: 'previewing' });
    const response = await withToken(request, true);
    const version = response.headers.get('Doorward-Profile');
    if (version !== null) session.profileVersion(version);
    return response;
  };

  const answered = async (request: Request): Promise<unknown> => {
    const response = await send(request);
    if (response.status === 204) return { data: null };
    return response.json().then(takeSecrets, () => refuse({ code: 'bad_answer', status: response.status }));
  };

  const whole = withLastAnswers(answered, answers, session);
  return { send, whole, data: async <T>(request: Request) => (await whole<{ data: T }>(request)).data };
}

/** Rejects with a problem: the plain data that machines keep. */
export function refuse(problem: Problem): Promise<never> {
  // oxlint-disable-next-line prefer-promise-reject-errors -- ports reject with problems, which are data (machines/port.ts)
  return Promise.reject(problem);
}
