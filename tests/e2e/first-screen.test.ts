import { expect, it } from 'vitest';
import { calm, expireToken } from './support/expiry.ts';
import { signedIn } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

it('a list and its profile are asked for once, before the code of the console has come', async () => {
  const { page, close } = await signedIn(stage, 'admin');
  // Of rows that changed a moment ago, as by signing in, the channel has the list read again: that is no part of this.
  await page.routeWebSocket(/./, () => {});
  // What was asked early is asked again after ten seconds: on a slow machine the code takes longer to come.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() / 20;
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/users');
  await page.locator('tbody tr').nth(5).waitFor();
  expect(asked.filter((path) => path === '/api/v0/profile' || path === '/api/v0/users').toSorted()).toEqual(['/api/v0/profile', '/api/v0/users']);
  // The page names these files itself: they and the rows are all on their way before anything of it has run.
  const times = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const of = (part: string): PerformanceResourceTiming | undefined => files.find(({ name }) => name.includes(part));
    return {
      rows: of('/api/v0/users')?.startTime,
      code: of('/assets/console-')?.startTime,
      run: performance.timing.domInteractive - performance.timing.fetchStart,
    };
  });
  expect(times.rows).toBeLessThan(times.run);
  expect(times.code).toBeLessThan(times.run);
  await close();
});

it('a list opened with an outdated token comes after one exchange', async () => {
  const { page, close } = await signedIn(stage, 'admin');
  await calm(page);
  const seen = await expireToken(page);
  await page.goto('/users?size=20');
  await page.locator('tbody tr').nth(5).waitFor();
  expect(seen.refreshes()).toBe(1);
  await close();
});
