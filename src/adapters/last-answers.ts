/** What was answered once, and when (ISO). */
export interface LastAnswer {
  body: unknown;
  seenAt: string;
}
/** Answers kept in the browser, so that everyday things can be looked at while the server cannot be reached. */
export interface LastAnswers {
  /** Keeps an answer when the page has nothing better to do. */
  save: (path: string, body: unknown) => void;
  /** @returns null where nothing is kept, or nothing that can be read */
  read: (path: string) => Promise<LastAnswer | null>;
  /** Forgets all, also what is about to be kept. */
  forget: () => void;
}

interface Deps {
  /** Absent without encryption, and in some private windows: then nothing is kept. */
  caches: CacheStorage | undefined;
  /** Only the answers of a session that outlives the tab are kept. */
  isRemembered: () => boolean;
  now: () => number;
  /** Runs something once the page is idle. */
  later: (work: () => void) => void;
}

const name = 'doorward-last-answers';
const seenHeader = 'Doorward-Seen';
/** Answers at most; the oldest go first. */
const most = 120;
/** Longest answer in characters. */
const longest = 400_000;

/**
 * What one looks at away from a desk. Who sees the reservations and calls of others keeps those they have looked at. Nothing that opens
 * doors is among it, and no emergency alert, which may be over by now.
 */
const everyday =
  /^\/(?:announces\/mine|amenities|amenity-reservations|calls\/(?:history|settings)|concierge-devices|conversations|licenses\/outlook|notifications|saved-views|sip-numbers\/contacts)(?=$|[/?])/;
/** Whether the answer to a request for this path, below /api/v0 and with its query, is kept. */
export const isStored = (path: string): boolean => everyday.test(path);

/** Opens the kept answers over the browser's cache. They belong to one session: whoever ends or exchanges it forgets them. */
export function openLastAnswers({ caches, isRemembered, now, later }: Deps): LastAnswers {
  let generation = 0;
  const write = async (storage: CacheStorage, path: string, text: string, seenAt: string, asked: number): Promise<void> => {
    const cache = await storage.open(name);
    if (asked !== generation || !isRemembered()) return;
    await cache.put(path, new Response(text, { headers: { [seenHeader]: seenAt } }));
    const paths = await cache.keys();
    await Promise.all(paths.slice(0, Math.max(0, paths.length - most)).map((oldest) => cache.delete(oldest)));
    // Forgotten while it was written.
    if (asked !== generation) await storage.delete(name);
  };
  return {
    save(path, body) {
      if (!caches || !isRemembered()) return;
      const [seenAt, asked] = [new Date(now()).toISOString(), generation];
      later(() => {
        const text = JSON.stringify(body);
        // A full disk keeps nothing: then there is nothing to see while the server is away.
        if (asked === generation && text.length <= longest) void write(caches, path, text, seenAt, asked).catch(() => {});
      });
    },
    async read(path) {
      if (!caches || !isRemembered()) return null;
      const answer = await caches.match(path, { cacheName: name }).catch(() => undefined);
      const seenAt = answer?.headers.get(seenHeader);
      if (!answer || !seenAt) return null;
      return answer.json().then(
        (body: unknown) => ({ body, seenAt }),
        () => null,
      );
    },
    forget() {
      generation += 1;
      void caches?.delete(name).catch(() => false);
    },
  };
}
