/**
 * Work that can wait its turn, one piece after the other. The embedded database does one thing at a time, in the order in which it was asked:
 * what a crowd of calls has to write must not stand there in one block before what somebody at a console asks for.
 */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns what the work answers, once it had its turn */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
