import type { Early, EarlyAnswer } from '#src/adapters/early.ts';

/** What the build tells the boot script (scripts/boot-script.ts). */
export interface BootFacts {
  /** Where the rows of each list lie on the wire, by the list's address. */
  lists: Readonly<Record<string, string>>;
  /** What a request for rows leaves out, in the order in which it says things. */
  usual: Readonly<Record<string, string>>;
}

/** The parts of the page that the boot script uses. */
export interface BootPage {
  location: Pick<Location, 'pathname' | 'search'>;
  localStorage: Storage;
  sessionStorage: Storage;
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  now: () => number;
}

/**
 * Asks for the profile and for the rows of the list at once, while the console's own code is still on its way: it knows the address and the
 * session. Whatever it guesses wrong is asked for later as ever. The build takes its text as it stands: it may refer to nothing outside of itself.
 */
export function boot({ lists, usual }: BootFacts, page: BootPage): Early | undefined {
  const read = (storage: () => Storage): { token?: unknown } | null => {
    try {
      return JSON.parse(storage().getItem('doorward.session') ?? 'null') as { token?: unknown } | null;
    } catch {
      // Storage may be barred, or hold what nobody wrote.
      return null;
    }
  };
  const token = (read(() => page.sessionStorage) ?? read(() => page.localStorage))?.token;
  if (typeof token !== 'string') return undefined;

  const answers: Record<string, Promise<EarlyAnswer>> = {};
  const ask = (path: string): void => {
    const answer = page
      .fetch(path, { headers: { Authorization: `Bearer ${token}` } })
      .then(async (response): Promise<EarlyAnswer> => ({ status: response.status, headers: [...response.headers], text: await response.text() }));
    // Whoever takes it hears of a failure; one that nobody takes is nobody's.
    answer.catch(() => {});
    answers[path] = answer;
  };
  ask('/api/v0/profile');
  const rows = lists[page.location.pathname];
  const address = new URLSearchParams(page.location.search);
  for (const shown of ['columns', 'view', 'pageId']) address.delete(shown);
  // Filters and the search become a request by the area's model, which is not here.
  if (rows !== undefined && [...address.keys()].every((key) => key in usual)) {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(usual)) {
      const wanted = address.get(key) ?? value;
      if (wanted !== value) query.set(key, wanted);
    }
    ask(`/api/v0/${rows}${query.size > 0 ? `?${query}` : ''}`);
  }
  return { token, askedAt: page.now(), answers };
}
