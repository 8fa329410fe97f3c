import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { startServer } from '#tests/e2e/support/server.ts';
import { writeFileSync } from 'node:fs';
import { signIn } from './page-load.ts';
const row = 'tbody input[type=checkbox]';
const server = await startServer({ env: { DOORWARD_LOG: 'error' } });
const browser = await launchBrowser();
const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', serviceWorkers: 'block' });
const page = await context.newPage();
await signIn(page);
const cdp = await context.newCDPSession(page);
const times: number[] = [];
const requests: string[] = [];
for (let round = 0; round < Number(process.argv[2] ?? 9); round += 1) {
  await page.goto('/users?size=20');
  await page.locator(row).nth(10).waitFor();
  await page.waitForTimeout(1500);
  const profile = round === 5 && process.argv[3];
  if (profile) {
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.setSamplingInterval', { interval: 200 });
    await cdp.send('Profiler.start');
  }
  const [took, res] = await page.evaluate(async (index) => {
    const link = document.querySelectorAll<HTMLElement>('tbody tr a[href^="/users/"]')[index];
    const started = performance.now();
    link?.click();
    while (!document.querySelector('main form input:not([type=checkbox])')) await new Promise((done) => requestAnimationFrame(done));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const end = performance.now();
    return [
      end - started,
      performance
        .getEntriesByType('resource')
        .filter((e) => e.startTime >= started)
        .map(
          (e) =>
            `${e.name.split('/').slice(3).join('/')} ${(e.startTime - started).toFixed(0)}-${((e as PerformanceResourceTiming).responseEnd - started).toFixed(0)}`,
        ),
    ] as const;
  }, round + 2);
  if (profile) {
    const { profile: p } = await cdp.send('Profiler.stop');
    writeFileSync('/tmp/form.cpuprofile', JSON.stringify(p));
  }
  times.push(took);
  requests.push(res.join('\n'));
}
console.log(times.map((t) => t.toFixed(0)).join(' '), 'median', times.sort((a, b) => a - b)[times.length >> 1]?.toFixed(0));
console.log(requests.at(-1));
await browser.close();
await server.discard();
process.exit(0);
