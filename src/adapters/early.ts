/** What the boot script asked of the server before the console's code was there (src/app/boot.ts). */
export interface Early {
  /** With which token it asked. */
  token: string;
  /** When, on the page's own clock. */
  askedAt: number;
  /** Answers that are on their way, by address with query. */
  answers: Record<string, Promise<Response>>;
}

/** What is older, in ms, is asked for again: rows may have changed since. */
const longest = 10_000;

const wanted = ({ url }: Request): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

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
    return answer.catch(() => ask(input, init));
  };
}
