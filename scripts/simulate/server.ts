import { type AnswerOf, calls } from '#models/api.ts';
import type { ScenarioName } from '#models/simulator.ts';

/** What the person who typed the command is told instead of a trace. */
export class Sentence extends Error {}

/** The administrator of the demo, as README has them. */
const demoAdmin = { login: 'admin', password: 'Doorward-2026' };
type State = AnswerOf<(typeof calls)['simulator']>;

/** The address of the server: the public one, or this machine's port. */
export const addressOf = (env: Record<string, string | undefined>): string =>
  (env['DOORWARD_PUBLIC_URL'] ?? `http://127.0.0.1:${env['DOORWARD_PORT'] ?? 8080}`).replace(/\/+$/, '');

/** The simulator of a server that runs, for the demo's administrator. */
export interface Stage {
  play: (name: ScenarioName) => Promise<State>;
  stop: () => Promise<State>;
  look: () => Promise<State>;
  leave: () => Promise<void>;
}

/**
 * Signs in at the demo that runs at `url`.
 * @throws Sentence when no server answers there, or one without the demo
 */
export async function enter(url: string): Promise<Stage> {
  let token: string | null = null;
  const ask = async (method: string, path: string, body?: object): Promise<Response> => {
    const headers = { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: `Bearer ${token}` }) };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(15_000) };
    return fetch(`${url}/api/v0${path}`, request).catch(() => {
      throw new Sentence(`Doorward is not running at ${url}. Start it with "npm start", or set DOORWARD_PORT or DOORWARD_PUBLIC_URL.`);
    });
  };
  const state = async (method: string, path: string): Promise<State> => {
    const answer = await ask(method, path);
    const { data, message } = (await answer.json().catch(() => ({}))) as { data?: unknown; message?: string };
    if (answer.ok) return calls.simulator.answer.parse(data);
    if (answer.status === 404) throw new Sentence(`Doorward at ${url} runs without the demo, so there is nothing to simulate.`);
    throw new Sentence(`The server refused: ${message ?? answer.status}.`);
  };
  const signedIn = await ask('POST', '/login', demoAdmin);
  if (signedIn.status === 401 || signedIn.status === 403)
    throw new Sentence(`Could not sign in at ${url} as "admin" with the demo’s password. Is the demo on?`);
  const { data } = (await signedIn.json().catch(() => ({}))) as { data?: { sessions?: { token: string }[] } };
  token = data?.sessions?.[0]?.token ?? null;
  if (token === null) throw new Sentence(`${url} did not respond as Doorward does (status ${signedIn.status}).`);
  return {
    play: (name) => state('POST', `/simulator/scenarios/${name}`),
    stop: () => state('DELETE', '/simulator/scenarios'),
    look: () => state('GET', '/simulator'),
    leave: async () => {
      await ask('POST', '/logout');
    },
  };
}
