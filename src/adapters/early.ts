/** An answer with its body, which was read as it came. */
export interface EarlyAnswer {
  status: number;
  headers: [string, string][];
  text: string;
}

/** What the boot script asked of the server before the console's code was there (src/app/boot.ts). */
export interface Early {
  /** With which token it asked. */
  token: string;
  /** When, on the page's own clock. */
  askedAt: number;
  /** Answers that are on their way, by address with query. */
  answers: Record<string, Promise<EarlyAnswer>>;
}

/** What is older, in ms, is asked for again: rows may have changed since. */
const longest = 10_000;

const wanted = ({ url }: Request): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** A browser reads a body in tasks of its own, even one that is there: they would wait until the page is drawn without it. */
const read = ({ status, headers, text }: EarlyAnswer): Response =>
  Object.assign(new Response(text || null, { status, headers }), {
    text: () => Promise.resolve(text),
    json: async () => JSON.parse(text) as unknown,
  });

/** Requests as `fetch` makes them; what was asked early, with the same token, is answered by that, each once. */
export function withEarly(early: Early | undefined, ask: typeof fetch, now: () => number): typeof fetch {
  return (input, init) => {
    if (!early || !(input instanceof Request) || input.method !== 'GET') return ask(input, init);
    const path = wanted(input);
    const answer = early.answers[path];
    if (!answer || input.headers.get('authorization') !== `Bearer ${early.token}`) return ask(input, init);
    delete early.answers[path];
    if (now() - early.askedAt > longest) return ask(input, init);
    // A line that failed then may be there now.
    return answer.then(read, () => ask(input, init));
  };
}
