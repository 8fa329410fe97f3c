import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Answer, Task } from './trial.ts';

/** What became of a mutant. */
export interface Outcome {
  kind: 'killed' | 'survived' | 'timeout';
  by: string | null;
}

/** Tries mutants in a process beside this one, which is replaced when one takes too long. */
export class Trials {
  #process: ChildProcess | null = null;

  async attempt(task: Task, limit: number): Promise<Outcome> {
    this.#process ??= fork('scripts/mutants/trial.ts', {
      execArgv: ['--import', 'tsx'],
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const child = this.#process;
    child.send(task);
    const timeout = AbortSignal.timeout(limit);
    const answered = new AbortController();
    const signal = AbortSignal.any([timeout, answered.signal]);
    try {
      const [answer]: [Answer] = (await Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }).then(() => [{ by: '' }]),
      ])) as never;
      if (child.exitCode !== null) this.#process = null;
      return { kind: answer.by === null ? 'survived' : 'killed', by: answer.by };
    } catch (fault) {
      if (!timeout.aborted) throw fault;
      this.close();
      return { kind: 'timeout', by: null };
    } finally {
      answered.abort();
    }
  }

  /** Ends the process and those that it started. */
  close(): void {
    if (this.#process?.pid) process.kill(-this.#process.pid, 'SIGKILL');
    this.#process = null;
  }
}
