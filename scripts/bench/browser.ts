import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { api, startServer, tokenOf } from '#tests/e2e/support/server.ts';
import { type Figure, median } from './figures.ts';
import { load, type Loaded, pageTurns, signIn } from './page-load.ts';
import { refreshStorm } from './storm.ts';

/** What a person waits for: the login page, the first list, the next page; and fifty requests with an outdated token. */
export async function benchBrowser(): Promise<Figure[]> {
  const server = await startServer({ env: { DOORWARD_LOG: 'error' } });
  const browser = await launchBrowser();
  try {
    const { url } = server;
    const token = await tokenOf(server, 'admin');
    const { body } = await api<{ data: { id: string }[] }>(server, 'GET', '/users?size=1', { token });
    if (body.data.length === 0) throw new Error('the demo has no users');
    const logins: Loaded[] = [];
    const lists: Loaded[] = [];
    for (let round = 0; round < 5; round += 1) {
      logins.push(await load(browser, { url, path: '/login', ready: '#login' }));
      lists.push(await load(browser, { url, path: '/users', ready: 'tbody input[type=checkbox]', prepare: signIn }));
    }
    const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
    const page = await context.newPage();
    await signIn(page);
    await page.goto('/users?size=20');
    await page.locator('tbody tr').nth(10).waitFor();
    const turns = await pageTurns(page, '.foot-turn', 12);
    const storm = await refreshStorm(url);
    const kilo = (loaded: Loaded[]) => median(loaded.map(({ scripts }) => scripts)) / 1000;
    return [
      { what: 'login usable', unit: 'ms', ours: median(logins.map(({ after }) => after)) },
      { what: 'JavaScript until login is usable', unit: 'kB', ours: kilo(logins), atMost: 170 },
      { what: 'first list usable (signed in, empty cache)', unit: 'ms', ours: median(lists.map(({ after }) => after)), atMost: 943 },
      { what: 'JavaScript until the first list is usable', unit: 'kB', ours: kilo(lists), atMost: 250 },
      { what: 'next page painted, request included, median', unit: 'ms', ours: median(turns), atMost: 120 },
      { what: '50 requests with an outdated token: all answered', unit: 'ms', ours: storm.after, atMost: 1_000 },
      { what: '50 requests with an outdated token: exchanges', unit: '', ours: storm.refreshes, atMost: 1 },
    ];
  } finally {
    await browser.close();
    await server.discard();
  }
}
