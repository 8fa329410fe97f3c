import { BlockList, isIP } from 'node:net';
import { sql } from 'drizzle-orm';
import type { Banned, BlockedWay } from '#models/ip-blocking.ts';
import type { Services } from './context.ts';
import type { Db } from './db/database.ts';
import { ipWhitelist } from './db/schema/index.ts';
import { Limiter, type Limits } from './limiter.ts';

/** What all processes are told: whose block is lifted, or that the whitelist is another. */
type Word = { unban: readonly string[] | null } | { whitelist: true };
const channel = 'doorward_blocks';
/** A notification is small; so many addresses fit. */
const atOnce = 100;

/** An IPv4 address in the clothes of IPv6 is that address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** The limiters of this process together: who waits, whose wait is over, and who never waits. */
export class Blocks {
  readonly #limiters: { limiter: Limiter; way: BlockedWay }[] = [];
  #trusted = new BlockList();

  /** A limiter whose pauses are told here. */
  limiter(way: BlockedWay, limits: Limits, now: () => number): Limiter {
    const limiter = new Limiter(limits, now, (address) => this.isTrusted(address));
    this.#limiters.push({ limiter, way });
    return limiter;
  }

  isTrusted(address: string): boolean {
    const bare = plain(address);
    const kind = isIP(bare);
    return kind !== 0 && this.#trusted.check(bare, kind === 6 ? 'ipv6' : 'ipv4');
  }

  /** Who waits at this moment, the longest wait first. */
  banned(): Banned[] {
    return this.#limiters
      .flatMap(({ limiter, way }) =>
        limiter.paused().map(({ address, about, tries, since, until }) => ({
          ip: plain(address),
          way: about.way ?? way,
          cause: about.cause ?? ('UNKNOWN' as const),
          tries,
          since: new Date(since).toISOString(),
          until: new Date(until).toISOString(),
        })),
      )
      .toSorted((one, other) => other.until.localeCompare(one.until));
  }

  forgive(addresses: readonly string[] | null): void {
    for (const { limiter } of this.#limiters) limiter.forgive(addresses && ((address) => addresses.includes(plain(address))));
  }

  async read(db: Db): Promise<void> {
    const trusted = new BlockList();
    for (const { ip } of await db.select({ ip: ipWhitelist.ip }).from(ipWhitelist)) {
      const [address = '', bits] = ip.split('/');
      const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      trusted.addSubnet(address, Number(bits ?? (kind === 'ipv6' ? 128 : 32)), kind);
    }
    this.#trusted = trusted;
  }
}

const made = new WeakMap<Db, Blocks>();
/** The blocks of this process. */
export function blocksOf({ db }: Pick<Services, 'db'>): Blocks {
  const found = made.get(db) ?? new Blocks();
  made.set(db, found);
  return found;
}

/** Reads the whitelist and follows what other processes decide; answers how to stop. */
export async function followBlocks(services: Services): Promise<() => Promise<void>> {
  const blocks = blocksOf(services);
  const readAgain = () => blocks.read(services.db).catch((error: unknown) => services.log.warn({ err: error }, 'the whitelist could not be read'));
  const stop = await services.listen(
    channel,
    (line) => {
      const word = JSON.parse(line) as Word;
      if ('unban' in word) blocks.forgive(word.unban);
      else void readAgain();
    },
    () => void readAgain(),
  );
  await readAgain();
  return stop;
}

const say = (db: Db, word: Word) => db.execute(sql`select pg_notify(${channel}, ${JSON.stringify(word)})`);
/** Lifts blocks in every process, here before it is answered. */
export async function liftBlocks(services: Pick<Services, 'db'>, addresses: readonly string[] | null): Promise<void> {
  blocksOf(services).forgive(addresses);
  if (addresses === null) await say(services.db, { unban: null });
  else for (let from = 0; from < addresses.length; from += atOnce) await say(services.db, { unban: addresses.slice(from, from + atOnce) });
}
/** Lets every process read the whitelist anew, here before it is answered. */
export async function notifyWhitelist(services: Pick<Services, 'db'>): Promise<void> {
  await blocksOf(services).read(services.db);
  await say(services.db, { whitelist: true });
}
