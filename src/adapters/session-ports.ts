import type { Locale } from '#models/constants.ts';
import type { Problem } from '#models/problem.ts';
import type { Choices, Recalled } from '#machines/session/session.machine.ts';
import type { PasskeyProof } from '#models/passkey-calls.ts';
import type { Profile, SessionProject } from '#models/profile.ts';
import { type Http, refuse } from './http.ts';
import type { LastAnswers } from './last-answers.ts';
import { sessionCalls } from './session-calls.ts';
import type { Tokens, TokenStore } from './token-store.ts';

type Grant = Tokens & { project: SessionProject };

/** What was kept of a sign-in whose project was not chosen yet. */
function storedGrants(stored: unknown): { grants: Grant[]; rememberUser: boolean } | null {
  const { grants, rememberUser } = (stored ?? {}) as { grants?: unknown; rememberUser?: unknown };
  if (!Array.isArray(grants)) return null;
  const isGrant = (grant: unknown): grant is Grant => typeof grant === 'object' && grant !== null && 'token' in grant && 'project' in grant;
  return { grants: grants.filter(isGrant), rememberUser: rememberUser === true };
}

/** What the session asks of the world. */
export interface SessionPorts {
  restoreSession: () => Promise<Profile | Choices | null>;
  /** The profile as it was seen last, while the server is away; null where none is kept. */
  recallProfile: () => Promise<Recalled | null>;
  signIn: (input: {
    login: string;
    password: string;
    rememberUser: boolean;
    passkey?: PasskeyProof;
  }) => Promise<{ projects: readonly SessionProject[]; needsCode?: boolean }>;
  /** Completes the last sign-in by the code that it asked for. */
  confirmSignIn: (input: { code: string }) => Promise<{ projects: readonly SessionProject[] }>;
  adoptProject: (input: { projectId: string; rememberUser: boolean }) => Promise<Profile>;
  /** Puts the tokens of another project of this sign-in in the place of the present ones. */
  switchProject: (input: { projectId: string }) => Promise<void>;
  refreshTokens: () => Promise<void>;
  loadProfile: () => Promise<Profile>;
  endSession: (input: { everywhere: boolean }) => Promise<void>;
  forgetTokens: () => void;
  saveLocale: (locale: Locale) => Promise<void>;
}

/** Runs one piece of work at a time among all tabs; where the browser has no locks, just runs it. */
export type Exclusively = <T>(name: string, work: () => Promise<T>) => Promise<T>;
const withWebLock: Exclusively = (name, work) => {
  // Plain http beyond localhost has no Web Locks.
  const { locks } = navigator as { locks?: LockManager };
  return locks ? locks.request(name, work) : work();
};

const wasRefused = (problem: Problem): boolean => problem.status === 401 || problem.code === 'not_authorized' || problem.code === 'invalid_token';
const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));

/** Another tab's newer pair may arrive a moment after its lock is released. */
async function adoptedMeanwhile(tokens: TokenStore, spent: string): Promise<boolean> {
  for (let round = 0; round < 5; round++) {
    if ((tokens.read()?.refresh ?? spent) !== spent) return true;
    await pause(100);
  }
  return false;
}

/** Exchanges the pair of tokens for a new one, once for all tabs: whoever waited for another one finds its pair there. */
function renewing(http: Http, tokens: TokenStore, exclusively: Exclusively): () => Promise<void> {
  const exchange = async (spent: Tokens): Promise<void> => {
    const renewed = await http
      .data<Tokens>({ ...sessionCalls.refresh, body: { token: spent.refresh }, key: tokens.exchangeKey(), anonymous: true, purpose: 'read' })
      .catch(async (problem: Problem) => (wasRefused(problem) && (await adoptedMeanwhile(tokens, spent.refresh)) ? null : refuse(problem)));
    if (renewed) tokens.replace(renewed);
  };
  return async () => {
    const before = tokens.read();
    if (!before) return refuse({ code: 'not_authorized' });
    return exclusively('doorward-refresh', async () => {
      const held = tokens.read();
      if (!held) return refuse({ code: 'not_authorized' });
      return held.refresh === before.refresh ? exchange(held) : undefined;
    });
  };
}

/** The profile of the tokens that are kept, renewed where they are spent; tokens that are refused are forgotten. */
async function restored(tokens: TokenStore, ask: () => Promise<Profile>, renew: () => Promise<void>): Promise<Profile | null> {
  if (!tokens.read()) return null;
  try {
    return await ask().catch(async (problem: Problem) => {
      if (!wasRefused(problem)) return refuse(problem);
      await renew();
      return ask();
    });
  } catch (error) {
    if (wasRefused(error as Problem)) tokens.clear();
    return refuse(error as Problem);
  }
}

/** Shows the password or a passkey: sessions, or what one goes on with to show a second factor. */
const firstStep = (http: Http, shown: { login: string; password: string } | PasskeyProof): Promise<{ sessions: Grant[]; challenge?: string }> =>
  http.data({ ...('login' in shown ? sessionCalls.signIn : sessionCalls.passkeySignIn), body: shown, anonymous: true, purpose: 'read' });

/** Shows the second factor. */
const secondStep = async (http: Http, body: { challenge: string; code: string }): Promise<Grant[]> =>
  (await http.data<{ sessions: Grant[] }>({ ...sessionCalls.secondStep, body, anonymous: true, purpose: 'read' })).sessions;

/** Signing in and coming back: the sessions of a sign-in wait, also over a reload, until one of their projects is chosen. */
function entering(
  http: Http,
  tokens: TokenStore,
  readProfile: (token?: string) => Promise<Profile>,
  refreshTokens: () => Promise<void>,
): Pick<SessionPorts, 'restoreSession' | 'signIn' | 'confirmSignIn' | 'adoptProject'> {
  let grants: Grant[] = [];
  let started: { challenge: string; rememberUser: boolean } | null = null;
  const store = (sessions: Grant[], rememberUser: boolean): { projects: readonly SessionProject[] } => {
    grants = sessions;
    if (sessions.length > 1) tokens.saveChoices({ grants, rememberUser });
    return { projects: sessions.map(({ project }) => project) };
  };
  const restore = (): Promise<Profile | null> => restored(tokens, () => readProfile(tokens.read()?.token ?? ''), refreshTokens);
  return {
    async restoreSession() {
      const stored = tokens.read() ? null : storedGrants(tokens.choices());
      return stored ? { ...store(stored.grants, stored.rememberUser), rememberUser: stored.rememberUser } : restore();
    },
    async signIn({ login, password, rememberUser, passkey }) {
      const { sessions, challenge } = await firstStep(http, passkey ?? { login, password });
      started = challenge === undefined ? null : { challenge, rememberUser };
      return started ? { projects: [], needsCode: true } : store(sessions, rememberUser);
    },
    async confirmSignIn({ code }) {
      return started
        ? store(await secondStep(http, { challenge: started.challenge, code }), started.rememberUser)
        : refuse({ code: 'invalid_credentials' });
    },
    async adoptProject({ projectId, rememberUser }) {
      const grant = grants.find(({ project }) => project.id === projectId);
      if (!grant) return refuse({ code: 'not_found' });
      tokens.store({ token: grant.token, refresh: grant.refresh }, rememberUser);
      // Chosen late, after a reload, the token may be spent.
      const profile = await restore();
      if (!profile) return refuse({ code: 'not_authorized' });
      grants = [];
      return profile;
    },
  };
}

interface SessionDeps {
  http: Http;
  tokens: TokenStore;
  /** What must be there before anybody counts as signed in. */
  ready: () => Promise<void>;
  answers: Pick<LastAnswers, 'save' | 'read'>;
  exclusively?: Exclusively;
}

/** Opens the session's ports. */
export function openSessionPorts({ http, tokens, ready, answers, exclusively = withWebLock }: SessionDeps): SessionPorts {
  const refreshTokens = renewing(http, tokens, exclusively);
  /** With `token` it is asked for past the session, which does not know yet whether it has one. */
  const readProfile = async (token?: string): Promise<Profile> => {
    const [profile] = await Promise.all([http.data<Profile>({ ...sessionCalls.profile, ...(token !== undefined && { token }) }), ready()]);
    if (!profile.must_enrol) answers.save(sessionCalls.profile.path, profile);
    return profile;
  };
  return {
    ...entering(http, tokens, readProfile, refreshTokens),
    refreshTokens,
    loadProfile: () => readProfile(),
    async recallProfile() {
      const [last] = await Promise.all([tokens.read() ? answers.read(sessionCalls.profile.path) : null, ready()]);
      return last && { profile: last.body as Profile, seenAt: last.seenAt };
    },
    forgetTokens: tokens.clear,
    saveLocale: (locale) => http.data<void>({ ...sessionCalls.locale, body: { locale } }),
    async switchProject({ projectId }) {
      tokens.exchange(await http.data<Tokens>({ ...sessionCalls.switchProject, body: { project_id: projectId } }));
    },
    async endSession({ everywhere }) {
      const token = tokens.read()?.token;
      tokens.clear();
      if (token === undefined) return;
      await http.send({ ...(everywhere ? sessionCalls.signOutEverywhere : sessionCalls.signOut), token });
    },
  };
}
