import type { CallRequest } from '#machines/form/form.machine.ts';
import type { ReaderReport } from '#machines/enrolment.machine.ts';
import { problemOf } from '#machines/port.ts';
import type { Enrolment } from '#models/enrolment.ts';
import type { Problem } from '#models/problem.ts';

interface Deps {
  runCall: (request: CallRequest) => Promise<unknown>;
  /** Calls back after so many ms. */
  wait: (ms: number) => Promise<void>;
}
/** An answer that was lost on the way is asked for again, so often in a row, after a pause in ms. */
const [mostLost, pause] = [5, 1_000];
const isLost = ({ code }: Problem): boolean => code === 'offline' || code === 'timeout' || code === 'unavailable';

/** One enrolment at a reader, as the server keeps it. */
class Reader {
  readonly #deps: Deps;
  readonly #report: (report: ReaderReport) => void;
  #id: string | null = null;
  #closed = false;

  constructor(deps: Deps, report: (report: ReaderReport) => void) {
    this.#deps = deps;
    this.#report = (said) => this.#closed || report(said);
  }

  async follow(device: string): Promise<void> {
    try {
      const { id, seconds } = (await this.#deps.runCall({ call: 'beginEnrolment', body: { device } })) as { id: string; seconds: number };
      this.#id = id;
      // Closed while it was asked for: whoever left cannot let go of what was not there yet.
      if (this.#closed) return this.#release();
      this.#report({ type: 'reader.armed', seconds });
      await this.#ask(id);
    } catch (error) {
      this.#report({ type: 'reader.refused', problem: problemOf(error) });
    }
  }

  async #ask(id: string): Promise<void> {
    for (let lost = 0; !this.#closed;) {
      try {
        const said = (await this.#deps.runCall({ call: 'enrolment', params: { id } })) as Enrolment;
        lost = 0;
        if (said.state === 'waiting') continue;
        this.#id = null;
        this.#report(said.state === 'read' ? { type: 'reader.presented', card: said.card } : { type: 'reader.silent' });
        return;
      } catch (error) {
        lost += 1;
        if (lost >= mostLost || !isLost(problemOf(error))) throw error;
        await this.#deps.wait(pause);
      }
    }
  }

  close(): void {
    this.#closed = true;
    this.#release();
  }
  /** The reader opens as usual again. Where nobody hears of it, it does so by itself. */
  #release(): void {
    const id = this.#id;
    this.#id = null;
    if (id !== null) void this.#deps.runCall({ call: 'cancelEnrolment', params: { id } }).catch(() => undefined);
  }
}

/** Opens the way to a reader: it is told to wait for a card, and let go when the way is closed. */
export function openReader(deps: Deps, report: (report: ReaderReport) => void, { device }: { device: string }) {
  const reader = new Reader(deps, report);
  void reader.follow(device);
  return { send: () => {}, close: () => reader.close() };
}
