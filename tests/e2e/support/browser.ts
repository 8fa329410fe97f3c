import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { longestWait } from '#tests/support/in-time.ts';
import { v8Flags } from './server.ts';

const firstThatExists = (...paths: (string | undefined)[]) => paths.find((path) => path && existsSync(path));
const whole = firstThatExists(process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome');
const shell = firstThatExists(process.env['HEADLESS_SHELL'], '/usr/bin/chromium-headless-shell', whole);

/** The browser of this machine. @throws Error where there is none */
export function browserPath(): string {
  if (!whole) throw new Error('no Chromium on this machine: `npm test` installs one');
  return whole;
}

/** Starts a browser without its own network habits. */
const launch = (executablePath: string, flags: readonly string[]) =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(v8Flags ? [`--js-flags=${v8Flags}`] : []),
      ...flags,
    ],
  });

/** The headless shell where this machine has it, which draws the same pages for half of the processor's time; otherwise the whole browser. */
export async function launchBrowser(...flags: string[]): Promise<Browser> {
  return launch(shell ?? browserPath(), flags);
}

/** The browser people use, for what the shell cannot do: it shows no notices of the system. */
export async function launchWholeBrowser(...flags: string[]): Promise<Browser> {
  return launch(browserPath(), flags);
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
  context.setDefaultTimeout(longestWait);
  const page = await context.newPage();
  return { context, page, errors: watchForErrors(page) };
}
