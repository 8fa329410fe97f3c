import type { DestinationStream } from 'pino';
import type { LogLevel, LogLine } from '#models/system-info.ts';

const mostLines = 3_000;
const longestLine = 4_000;
const shown = 300;
/** The numbers of pino. */
const levelOf = (level: number): LogLevel => (level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug');
const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

interface StoredLine {
  id: number;
  line: string;
}

/** The last lines of the log, as they were written: secrets were taken out before. */
export class LogRing {
  readonly #lines: StoredLine[] = [];
  #next = 0;
  #count = 0;

  /** A way for a log to write: on, and here. */
  over(to: DestinationStream): DestinationStream {
    return {
      write: (line) => {
        to.write(line);
        this.#lines[this.#next] = { id: (this.#count += 1), line: line.slice(0, longestLine) };
        this.#next = (this.#next + 1) % mostLines;
      },
    };
  }

  /** The newest lines of at least this level in which the words stand, oldest first. */
  read(least: LogLevel, search: string): LogLine[] {
    const found: LogLine[] = [];
    const words = search.toLowerCase();
    for (let back = 1; back <= this.#lines.length && found.length < shown; back += 1) {
      const stored = this.#lines[(this.#next - back + mostLines) % mostLines];
      if (!stored || (words !== '' && !stored.line.toLowerCase().includes(words))) continue;
      const line = read(stored);
      if (rank[line.level] >= rank[least]) found.push(line);
    }
    return found.toReversed();
  }
}

function read({ id, line }: StoredLine): LogLine {
  try {
    const { level, time, msg, reqId: _id, ...rest } = JSON.parse(line) as { level: number; time: string; msg?: string; reqId?: string };
    return {
      id,
      at: new Date(time).toISOString(),
      level: levelOf(level),
      text: msg ?? '',
      more: Object.keys(rest).length > 0 ? JSON.stringify(rest) : '',
    };
  } catch {
    // Cut because it was too long.
    const at = /"time":"([^"]+)"/.exec(line)?.[1] ?? new Date(0).toISOString();
    return { id, at, level: levelOf(Number(/"level":(\d+)/.exec(line)?.[1] ?? 30)), text: line.slice(0, 200), more: '' };
  }
}
