import { vi } from 'vitest';

/** One request as the server saw it. */
export interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Headers;
  body: unknown;
}
type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | Response | Error;
type Handler = (seen: Seen) => Answer | Promise<Answer>;

const read = async (request: Request): Promise<unknown> => {
  const text = await request.clone().text();
  try {
    return text ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return text;
  }
};

/** Stands for the server: answers by method and path, and remembers what it was asked. */
export function fakeServer(handlers: Record<string, Handler>) {
  const seen: Seen[] = [];
  const fetch = vi.fn<(input: Request) => Promise<Response>>(async (input) => {
    const url = new URL(input.url);
    const path = url.pathname.replace('/api/v0', '');
    const entry: Seen = { method: input.method, path, query: Object.fromEntries(url.searchParams), headers: input.headers, body: await read(input) };
    seen.push(entry);
    const handler = handlers[`${input.method} ${path}`];
    if (!handler) throw new Error(`nobody answers ${input.method} ${path}`);
    const answer = await handler(entry);
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer;
    return new Response(answer.body === undefined ? null : JSON.stringify(answer.body), {
      status: answer.status ?? 200,
      headers: { 'content-type': 'application/json', ...answer.headers },
    });
  });
  vi.stubGlobal('fetch', fetch);
  return { seen, asked: (method: string, path: string) => seen.filter((entry) => entry.method === method && entry.path === path) };
}

/** The refusal of a spent access token. */
export const unauthenticated = { status: 401, body: { message: 'Unauthenticated', error: { code: 'not_authorized', message: 'Unauthenticated' } } };
export const refused = (status: number, code: string, message: string, data?: unknown) => ({
  status,
  body: { message, error: { code, message }, data },
});
export const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));
