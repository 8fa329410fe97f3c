import { setImmediate as turn } from 'node:timers/promises';
import { parse, type PGlite, protocol, type QueryOptions, type Results, type Transaction } from '@electric-sql/pglite';
import { Semaphore } from '../semaphore.ts';

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;
type Parsers = PGlite['parsers'];
type Values = NonNullable<NonNullable<Parameters<typeof protocol.serialize.bind>[0]>['values']>;

/** A statement as the database knows it: by its name ('' for one that is gone after this once), with what its parameters and rows are. */
interface Statement {
  name: string;
  types: readonly number[];
  described: Messages;
}

/** So many statements stay prepared; each holds its plan in memory. */
const mostPrepared = 300;
/** A longer one (many rows in one) is hardly ever asked again. */
const longest = 8_000;
/** A transaction that has worked for so long, ms, gives others a turn before it goes on. */
const slice = 10;

const { serialize } = protocol;
const lines = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts);
const codeOf = (error: unknown): string | null => (error instanceof protocol.messages.DatabaseError ? (error.code ?? null) : null);

/**
 * Statements of the embedded database, prepared the second time they are asked and sent in one message. PGlite itself has each parsed and
 * planned anew and speaks six times with the database for it, which takes ten times as long as most statements do.
 */
class Statements {
  readonly #client: PGlite;
  readonly #prepared = new Map<string, Statement>();
  readonly #seen = new Set<string>();
  /** How values are read: the client's ways, and over them those of drizzle, which hands the same anew with each statement. */
  #parsers: Parsers | undefined;
  #count = 0;

  constructor(client: PGlite) {
    this.#client = client;
  }

  /** Runs one statement. `isAlone`: in no transaction, so it is stored when it is done. @throws DatabaseError */
  run<T>(text: string, params: unknown[], options: QueryOptions | undefined, isAlone: boolean): Promise<Results<T>> {
    return this.#client.runExclusive(async () => {
      if (!this.#client.ready) throw new Error('PGlite is closed');
      const { name, types, described } = this.#known(text) ?? (await this.#prepare(text));
      const values = this.#valuesOf(params, types);
      const said = await this.#say(text, lines(serialize.bind({ statement: name, values }), serialize.execute(), serialize.sync()), isAlone);
      return parse.parseResults([...described, ...said], this.#parsersWith(options), { rowMode: options?.rowMode ?? 'object' })[0] as Results<T>;
    });
  }

  /** Put together once: doing it with each statement took longer than reading the answer of a short one. */
  #parsersWith(options: QueryOptions | undefined): Parsers {
    if (!options?.parsers) return this.#client.parsers;
    return (this.#parsers ??= { ...this.#client.parsers, ...options.parsers });
  }

  #known(text: string): Statement | undefined {
    const known = this.#prepared.get(text);
    // Asked last, it goes last.
    if (known && this.#prepared.delete(text)) this.#prepared.set(text, known);
    return known;
  }

  #valuesOf(params: unknown[], types: readonly number[]): Values {
    return params.map((param, at) => (param === null || param === undefined ? null : (this.#client.serializers[types[at] ?? 0] ?? String)(param)));
  }

  async #say(text: string, message: Uint8Array, isAlone: boolean): Promise<Messages> {
    try {
      return await this.#client.execProtocolStream(message, { syncToFs: isAlone });
    } catch (error) {
      // "Cached plan must not change result type": its tables are others by now.
      if (codeOf(error) === '0A000') await this.#forget(text);
      throw error;
    }
  }

  async #prepare(text: string): Promise<Statement> {
    const isPrepared = text.length <= longest && this.#isSeen(text);
    const name = isPrepared ? `s${(this.#count += 1)}` : '';
    const described = await this.#client
      .execProtocolStream(lines(serialize.parse({ name, text }), serialize.describe({ type: 'S', name })), { syncToFs: false })
      .catch(async (error: unknown) => {
        await this.#client.execProtocolStream(serialize.sync(), { syncToFs: false });
        throw error;
      });
    const made = { name, types: parse.parseDescribeStatementResults(described), described };
    if (isPrepared) await this.#store(text, made);
    return made;
  }

  /** Was it asked before? What is asked once is not worth a plan that stays. */
  #isSeen(text: string): boolean {
    if (this.#seen.delete(text)) return true;
    this.#seen.add(text);
    const [oldest] = this.#seen;
    if (this.#seen.size > mostPrepared && oldest !== undefined) this.#seen.delete(oldest);
    return false;
  }

  async #store(text: string, made: Statement): Promise<void> {
    this.#prepared.set(text, made);
    const [oldest] = this.#prepared.keys();
    if (this.#prepared.size > mostPrepared && oldest !== undefined) await this.#forget(oldest);
  }

  async #forget(text: string): Promise<void> {
    const name = this.#prepared.get(text)?.name;
    this.#prepared.delete(text);
    if (name) await this.#client.execProtocolStream(serialize.close({ type: 'S', name }), { syncToFs: false });
  }
}

/**
 * Has the client prepare its statements, and gives turns: the embedded database works in this thread, and what waits for it follows without
 * a pause. Between two statements, and now and then in a transaction, there is a turn for whatever has come meanwhile.
 * @returns the same client for what must not wait: its statements go before those that have not begun
 */
export function quicken(client: PGlite): PGlite {
  const [semaphore, statements, transaction] = [new Semaphore(1), new Statements(client), client.transaction.bind(client)];
  const within = (tx: Transaction): Transaction => {
    let since = performance.now();
    return {
      ...tx,
      query: async (text, params = [], options) => {
        if (tx.closed) throw new Error('Transaction is closed');
        if (performance.now() - since > slice) since = await turn().then(() => performance.now());
        return statements.run(text, params, options, false);
      },
      get closed() {
        return tx.closed;
      },
    };
  };
  const queryIn =
    (isUrgent: boolean): PGlite['query'] =>
    (text, params = [], options) =>
      semaphore.run(() => statements.run(text, params, options, true), isUrgent);
  client.query = queryIn(false);
  client.transaction = (work) => semaphore.run(() => transaction((tx) => work(within(tx))));
  return Object.assign(Object.create(client) as PGlite, { query: queryIn(true) });
}
