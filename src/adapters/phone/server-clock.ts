import type { Http } from '../http.ts';

/** When the server gave an answer, by its own clock, to the second, in ms since 1970; null where it does not say. */
export function momentOf({ headers }: Pick<Response, 'headers'>): number | null {
  const said = Date.parse(headers.get('Date') ?? '');
  return Number.isNaN(said) ? null : said;
}

/** What the server's clock says; null when it does not answer. */
export const openServerClock = (http: Http) => (): Promise<number | null> =>
  http.send({ method: 'GET', path: '/calls/settings', timeout: 5_000 }).then(momentOf, () => null);
