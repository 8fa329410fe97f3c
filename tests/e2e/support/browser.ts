import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const executablePath = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

/** The browser of this machine. @throws Error where there is none */
export function browserPath(): string {
  if (!executablePath) throw new Error('no Chromium on this machine: `npm test` installs one');
  return executablePath;
}

/** Debian's Chromium without its own network habits. */
export async function launchBrowser(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/** Logged by the browser itself: every refused request, a normal answer here; and a machine without a sound card. */
const expected = ['Failed to load resource', 'The AudioContext encountered an error from the audio device'];

/** Errors a page must never have: thrown in page code, logged as errors, refused by the content policy. */
export function watchForErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.some((start) => message.text().startsWith(start))) errors.push(message.text());
  });
  return errors;
}

/** Ends the process that draws a page, as the system does with one that takes too much memory. */
export async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  // It has no answer: who would give it is gone.
  void session.send('Page.crash').catch(() => null);
  await crashed;
}

/** What a window remembers: cookies and local storage. */
export type Remembered = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** A window of its own storage, in English unless said otherwise. */
export async function openWindow(
  browser: Browser,
  url: string,
  options: {
    locale?: string;
    dark?: boolean;
    width?: number;
    height?: number;
    storageState?: Remembered;
    bypassCSP?: boolean;
    offline?: boolean;
  } = {},
): Promise<{ context: BrowserContext; page: Page; errors: string[] }> {
  const context = await browser.newContext({
    baseURL: url,
    locale: options.locale ?? 'en-GB',
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    reducedMotion: 'reduce',
    bypassCSP: options.bypassCSP ?? false,
    // What a worker answers, no test could hold up or refuse.
    serviceWorkers: options.offline ? 'allow' : 'block',
    ...(options.storageState && { storageState: options.storageState }),
  });
  const page = await context.newPage();
  return { context, page, errors: watchForErrors(page) };
}
