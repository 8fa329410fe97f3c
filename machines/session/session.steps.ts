import type { Profile } from '#models/profile.ts';
import { timedOut } from '../port.ts';
import type { SessionFact } from './session.setup.ts';

type Answered<T> = { event: { output: T } };
type Failed = { event: { error: unknown } };
export const takeProblem = { type: 'takeProblem', params: ({ event }: Failed) => event } as const;
export const rememberTimeout = { type: 'rememberProblem', params: { problem: timedOut } } as const;
export const isRefused = { type: 'isRefused', params: ({ event }: Failed) => event } as const;
export const openSession = [
  { type: 'rememberProfile', params: ({ event }: Answered<Profile>) => ({ profile: event.output }) },
  { type: 'notify', params: ({ event }: Answered<Profile>): SessionFact => ({ type: 'session.opened', profile: event.output }) },
  { type: 'notifyTabs', params: { type: 'tabs.notifySignedIn' } },
] as const;
export const changeProfile = [
  { type: 'replaceProfile', params: ({ event }: { event: { profile: Profile } }) => ({ profile: event.profile }) },
  { type: 'notify', params: ({ event }: { event: { profile: Profile } }): SessionFact => ({ type: 'profile.changed', profile: event.profile }) },
] as const;
/** The console of the former project ends before the session of the other one is opened. */
export const leaveProject = [
  { type: 'forgetPerson', params: { notice: 'switched' } },
  { type: 'notify', params: { type: 'session.ended', reason: 'switched' } },
] as const;
export const endElsewhere = [
  'forgetTokens',
  { type: 'forgetPerson', params: { notice: 'elsewhere' } },
  { type: 'notify', params: { type: 'session.ended', reason: 'elsewhere' } },
] as const;

/** Signed in, but nothing can be done before a second factor is set up. */
export const enrol = {
  guard: { type: 'mustEnrol', params: ({ event }: Answered<Profile>) => ({ found: event.output }) },
  target: '#session.enrolling',
  actions: [
    { type: 'rememberProfile', params: ({ event }: Answered<Profile>) => ({ profile: event.output }) },
    { type: 'notifyTabs', params: { type: 'tabs.notifySignedIn' } },
  ],
} as const;

/** The profile was asked for anew. */
export const profileLoaded = [
  {
    guard: { type: 'mustEnrol', params: ({ event }: Answered<Profile>) => ({ found: event.output }) },
    target: '#session.enrolling',
    actions: [
      { type: 'rememberProfile', params: ({ event }: Answered<Profile>) => ({ profile: event.output }) },
      { type: 'notify', params: { type: 'session.ended', reason: 'expired' } },
    ],
  },
  {
    target: '#session.signedIn.current',
    actions: [
      { type: 'replaceProfile', params: ({ event }: Answered<Profile>) => ({ profile: event.output }) },
      { type: 'notify', params: ({ event }: Answered<Profile>): SessionFact => ({ type: 'profile.changed', profile: event.output }) },
    ],
  },
] as const;
