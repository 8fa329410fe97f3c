import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import { browserPath, type Remembered } from './browser.ts';

/** What the browser says: an answer, or an event, which has no id. */
interface Answer {
  id?: number;
  result?: unknown;
  error?: { message: string };
}
/** The protocol of the browser's own tools over one socket; a session for each page. */
class Tools {
  readonly #ws: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on('message', (data) => {
      const answer = JSON.parse((data as Buffer).toString()) as Answer;
      if (answer.id === undefined) return;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }
  static async at(url: string): Promise<Tools> {
    const ws = new WebSocket(url);
    await new Promise((open, fail) => ws.once('open', open).once('error', fail));
    return new Tools(ws);
  }
  send<T>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++this.#count;
    return new Promise((done, fail) => {
      this.#waiting.set(id, ({ result, error }) => (error ? fail(new Error(`${method}: ${error.message}`)) : done(result as T)));
      this.#ws.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    });
  }
  close(): void {
    this.#ws.close();
  }
}

/** Where a browser that has just been started listens for its tools. */
const toolsOf = (child: ChildProcess): Promise<string> =>
  new Promise((done, fail) => {
    let said = '';
    child.once('exit', () => fail(new Error(`the browser ended: ${said}`)));
    child.stderr?.on('data', (part) => {
      said += String(part);
      const [, url] = /DevTools listening on (\S+)/.exec(said) ?? [];
      if (url) done(url);
    });
  });

const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync', '--lang=en-GB', '--remote-debugging-port=0'];

/** A browser with one page that may really be hidden and really be stopped: Playwright keeps every page of its own in sight. */
export class BareBrowser {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #tools: Tools;
  readonly #target: string;
  readonly #session: string;
  #stopped: readonly number[] = [];

  private constructor(child: ChildProcess, folder: string, tools: Tools, target: string, session: string) {
    this.#child = child;
    this.#folder = folder;
    this.#tools = tools;
    this.#target = target;
    this.#session = session;
  }

  /** Starts it without a window. */
  static async start(): Promise<BareBrowser> {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-browser-'));
    const child = spawn(browserPath(), [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // A process group of its own: what draws pages outlives the process that was started, and still writes to the folder.
      detached: true,
    });
    const tools = await Tools.at(await toolsOf(child));
    const { targetInfos } = await tools.send<{ targetInfos: { targetId: string; type: string }[] }>('Target.getTargets');
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
    const { sessionId } = await tools.send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    const browser = new BareBrowser(child, folder, tools, targetId, sessionId);
    await browser.#inPage('Page.enable');
    return browser;
  }

  #inPage<T>(method: string, params: object = {}): Promise<T> {
    return this.#tools.send<T>(method, params, this.#session);
  }

  /** Opens an address as somebody whom the window remembers; `before` runs ahead of the page's own code. */
  async open(url: string, { origins }: Remembered, before: string): Promise<void> {
    const stored = JSON.stringify(origins.flatMap(({ localStorage }) => localStorage));
    const remember = `for (const { name, value } of ${stored}) if (localStorage.getItem(name) === null) localStorage.setItem(name, value);`;
    await this.#inPage('Page.addScriptToEvaluateOnNewDocument', { source: `if (location.protocol === 'http:') { ${remember} ${before} }` });
    await this.#inPage('Page.navigate', { url });
  }
  async evaluate<T>(expression: string): Promise<T> {
    return (await this.#inPage<{ result: { value: T } }>('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  }
  /** Waits until an expression is true in the page, however hidden. @returns after how many ms */
  async until(expression: string, timeout = 20_000): Promise<number> {
    const begun = performance.now();
    while ((await this.evaluate<unknown>(`Boolean(${expression})`)) !== true) {
      if (performance.now() - begun > timeout)
        throw new Error(`never: ${expression}; it says ${await this.evaluate<string>('document.body.innerText')}`);
      await pause(50);
    }
    return performance.now() - begun;
  }

  /** Another tab is brought before the page. */
  async hide(): Promise<void> {
    await this.#tools.send('Target.createTarget', { url: 'about:blank' });
    await this.until(`document.visibilityState === 'hidden'`);
  }
  async show(): Promise<void> {
    await this.#tools.send('Target.activateTarget', { targetId: this.#target });
    await this.until(`document.visibilityState === 'visible'`);
  }

  /** The processes that draw pages stand still. */
  async stop(): Promise<void> {
    const { processInfo } = await this.#tools.send<{ processInfo: { type: string; id: number }[] }>('SystemInfo.getProcessInfo');
    this.#stopped = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    for (const id of this.#stopped) process.kill(id, 'SIGSTOP');
  }
  goOn(): void {
    for (const id of this.#stopped) process.kill(id, 'SIGCONT');
    this.#stopped = [];
  }
  async close(): Promise<void> {
    this.goOn();
    const gone = new Promise((done) => this.#child.once('exit', done));
    this.#tools.close();
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    await gone;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
