import type { Http } from '../http.ts';

/** What the server's clock says, to the second, in ms since 1970; null when it does not answer. */
export const openServerClock = (http: Http) => (): Promise<number | null> =>
  http.send({ method: 'GET', path: '/calls/settings', timeout: 5_000 }).then(
    ({ headers }) => {
      const said = Date.parse(headers.get('Date') ?? '');
      return Number.isNaN(said) ? null : said;
    },
    () => null,
  );
