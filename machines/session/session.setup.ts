import { assign, emit, enqueueActions, sendTo, setup } from 'xstate';
import type { Problem } from '#models/problem.ts';
import type { PasskeyProof } from '#models/passkey-calls.ts';
import type { Profile, SessionProject } from '#models/profile.ts';
import { constants } from '#models/constants.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { type FormAnswer, type FormEvent, formMachine } from '../form/form.machine.ts';
import type { OpenForm, ViewCommand } from '../view-child.ts';
import { answerTimeout, parentOf, problemOf, unplugged, unpluggedAction, unpluggedLasting } from '../port.ts';

export type EndReason = 'signedOut' | 'expired' | 'elsewhere' | 'switched';
/** Projects that a sign-in left to choose among, kept over a reload. */
export interface Choices {
  projects: readonly SessionProject[];
  rememberUser: boolean;
}
/** A profile as it was seen before, and when (ISO). */
export interface Recalled {
  profile: Profile;
  seenAt: string;
}
export type SessionFact =
  | { type: 'session.opened'; profile: Profile }
  | { type: 'session.ended'; reason: EndReason }
  | { type: 'profile.changed'; profile: Profile }
  /** The access token was exchanged for a new one. */
  | { type: 'token.renewed' }
  | Extract<AlertsRequest, { type: 'alert.show' }>;
/** What this tab lets the others know. */
export type TabsCommand = { type: 'tabs.notifySignedIn' } | { type: 'tabs.notifySignedOut' } | { type: 'tabs.notifySwitched' };
/** What other tabs let this one know. */
export type TabsReport = { type: 'tab.signedOut' } | { type: 'tab.signedIn' } | { type: 'tab.switched' };
/** By login and password, or by a passkey, which stands for both. */
type SignIn = { login: string; password: string; rememberUser: boolean; passkey?: PasskeyProof };
export type SessionEvent =
  | TabsReport
  | OpenForm
  | ViewCommand
  | FormAnswer
  | { type: 'xstate.error.actor.*'; actorId: string }
  | ({ type: 'session.signIn' } & SignIn)
  /** The code that is asked for after the password. */
  | { type: 'session.confirm'; code: string }
  /** The second factor that had to be set up is there. */
  | { type: 'session.enrolled' }
  | { type: 'session.chooseProject'; projectId: string }
  /** Go on in another project of this sign-in. */
  | { type: 'session.switchProject'; projectId: string }
  | { type: 'session.retry' }
  | { type: 'session.signOut' }
  | { type: 'session.signOutEverywhere' }
  | { type: 'session.acknowledge' }
  /** The access token in use was refused with 401. Adapters say so only if the refused request carried the present token. */
  | { type: 'token.rejected' }
  /** An answer carried a `Doorward-Profile` other than `context.profile.version`. */
  | { type: 'profile.stale' }
  | { type: 'profile.replace'; profile: Profile }
  /** The server was away, and somebody was answered what was seen before. */
  | { type: 'answer.recalled'; seenAt: string };

/** What it holds. */
export interface SessionContext {
  profile: Profile | null;
  /** While the server is away: from when the oldest is that is shown, ISO. */
  seenAt: string | null;
  /** Projects to choose among after sign-in. */
  projects: readonly SessionProject[];
  projectId: string | null;
  problem: Problem | null;
  rememberUser: boolean;
  /** Forms of views that stand outside of any workspace. */
  children: readonly string[];
  /** Why one is not signed in any more, for the login page to say. */
  notice: EndReason | null;
}

/** The server said no, in contrast to not being reached. */
const refusingCodes: readonly Problem['code'][] = ['not_authorized', 'invalid_token', 'invalid_credentials', 'forbidden'];

/** What the chart of the session is made of: its words, ports, actions, guards and delays. */
export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionFact | FormAnswer,
    tags: {} as 'open' | 'ready' | 'busy' | 'choosing' | 'signedOut' | 'unreachable' | 'enrolling',
    children: {} as { otherTabs: 'otherTabs' },
  },
  actors: {
    /** The remembered session's profile, its tokens refreshed if need be; null where none is remembered. Refused: forgets the tokens, then rejects. */
    restoreSession: unplugged<Profile | Choices | null>('restoreSession'),
    /** Answers the projects; the adapter keeps their tokens aside until one is adopted. None while a code is asked for. */
    signIn: unplugged<{ projects: readonly SessionProject[]; needsCode?: boolean }, SignIn>('signIn'),
    /** Completes the sign-in that asks for a code; the adapter knows which. */
    confirmSignIn: unplugged<{ projects: readonly SessionProject[] }, { code: string }>('confirmSignIn'),
    /** The remembered person's profile as it was seen last. */
    recallProfile: unplugged<Recalled | null>('recallProfile'),
    /** Stores that project's tokens (local storage if remembered, else session storage) and answers the profile. */
    adoptProject: unplugged<Profile, { projectId: string; rememberUser: boolean }>('adoptProject'),
    /** Puts the tokens of another project in the place of the present ones; they are not used before the session is restored. */
    switchProject: unplugged<void, { projectId: string }>('switchProject'),
    /** Exchanges the refresh token under a lock shared by the tabs; adopts another tab's newer pair. */
    refreshTokens: unplugged<void>('refreshTokens'),
    loadProfile: unplugged<Profile>('loadProfile'),
    /** Forgets the tokens first, then tells the server. */
    endSession: unplugged<void, { everywhere: boolean }>('endSession'),
    otherTabs: unpluggedLasting<TabsCommand>('otherTabs'),
    form: formMachine,
  },
  actions: {
    forgetTokens: (_args) => unpluggedAction('forgetTokens'),
    notify: enqueueActions(({ enqueue, self }, fact: SessionFact) => {
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    /** Only the view is told; nobody else waits for it. */
    notifyView: emit((_, fact: FormAnswer) => fact),
    openForm: enqueueActions(({ context, enqueue }, { id, input }: OpenForm) => {
      if (context.children.includes(id)) return;
      enqueue.spawnChild('form', { id, input });
      enqueue.assign({ children: [...context.children, id] });
    }),
    notifyForm: enqueueActions(({ context, enqueue }, { id, event }: { id: string; event: FormEvent }) => {
      if (context.children.includes(id)) enqueue.sendTo(id, event);
    }),
    closeForm: enqueueActions(({ context, enqueue }, { id }: { id: string }) => {
      if (!context.children.includes(id)) return;
      enqueue.stopChild(id);
      enqueue.assign({ children: context.children.filter((child) => child !== id) });
    }),
    notifyTabs: sendTo('otherTabs', (_, command: TabsCommand) => command),
    rememberChoice: assign((_, { rememberUser }: { rememberUser: boolean }) => ({ rememberUser, problem: null, notice: null })),
    rememberProjects: assign((_, { projects }: { projects: readonly SessionProject[] }) => ({ projects, projectId: projects[0]?.id ?? null })),
    rememberChoices: assign((_, { projects, rememberUser }: Choices) => ({
      projects,
      rememberUser,
      projectId: projects[0]?.id ?? null,
      problem: null,
    })),
    rememberProject: assign((_, { projectId }: { projectId: string }) => ({ projectId, problem: null })),
    rememberProfile: assign((_, { profile }: { profile: Profile }) => ({
      profile,
      seenAt: null,
      projects: [],
      projectId: null,
      problem: null,
      notice: null,
    })),
    rememberRecalled: assign((_, { profile, seenAt }: Recalled) => ({ profile, seenAt, problem: null })),
    noteRecalled: assign(({ context }, { seenAt }: { seenAt: string }) => ({
      seenAt: context.seenAt !== null && context.seenAt < seenAt ? context.seenAt : seenAt,
    })),
    replaceProfile: assign((_, { profile }: { profile: Profile }) => ({ profile, seenAt: null })),
    rememberProblem: assign((_, { problem }: { problem: Problem }) => ({ problem })),
    takeProblem: assign((_, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    clearProblem: assign({ problem: null }),
    forgetPerson: assign((_, { notice }: { notice: EndReason | null }) => ({
      profile: null,
      seenAt: null,
      projects: [],
      projectId: null,
      notice,
      problem: null,
    })),
  },
  guards: {
    needsCode: (_, { needsCode }: { needsCode?: boolean }) => needsCode === true,
    /** Nothing can be done before a second factor is set up. */
    mustEnrol: (_, { found }: { found: Profile | Choices | null }) => found !== null && 'must_enrol' in found && found.must_enrol,
    foundProfile: (_, { found }: { found: Profile | Choices | null }) => found !== null && 'id' in found,
    wasRecalled: (_, { recalled }: { recalled: Recalled | null }) => recalled !== null,
    foundChoices: (_, { found }: { found: Profile | Choices | null }) => found !== null && 'projects' in found,
    isRefused: (_, { error }: { error: unknown }) => refusingCodes.includes(problemOf(error).code),
    oneProject: (_, { projects }: { projects: readonly SessionProject[] }) => projects.length === 1,
    severalProjects: (_, { projects }: { projects: readonly SessionProject[] }) => projects.length > 1,
    isOffered: ({ context }, { projectId }: { projectId: string }) => context.projects.some(({ id }) => id === projectId),
  },
  delays: {
    signInTimeout: constants.loginTimeout,
    answerTimeout,
    retryPause: 4_000,
    recallTimeout: 10_000,
    checkPause: 10_000,
    signOutTimeout: 2_000,
  },
});
