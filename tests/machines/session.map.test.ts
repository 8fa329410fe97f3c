import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { sessionMachine } from '#machines/session/session.machine.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna, harbour, riverside } from '#tests/support/people.ts';

const samples = {
  'session.signIn': { type: 'session.signIn', login: 'anna', password: 'x', rememberUser: true },
  'session.confirm': { type: 'session.confirm', code: '123456' },
  'session.enrolled': { type: 'session.enrolled' },
  'session.chooseProject': [
    { type: 'session.chooseProject', projectId: riverside.id },
    { type: 'session.chooseProject', projectId: 'another' },
  ],
  'session.switchProject': { type: 'session.switchProject', projectId: harbour.id },
  'session.retry': { type: 'session.retry' },
  'session.signOut': { type: 'session.signOut' },
  'session.signOutEverywhere': { type: 'session.signOutEverywhere' },
  'session.acknowledge': { type: 'session.acknowledge' },
  'token.rejected': { type: 'token.rejected' },
  'profile.stale': { type: 'profile.stale' },
  'profile.replace': { type: 'profile.replace', profile: { ...anna, name: 'Anna B.' } },
  'tab.signedOut': { type: 'tab.signedOut' },
  'tab.switched': { type: 'tab.switched' },
  'tab.signedIn': { type: 'tab.signedIn' },
  'child.open': { type: 'child.open', id: 'form:register:1', src: 'form', input: {} },
  'child.notify': { type: 'child.notify', id: 'form:register:1', event: { type: 'form.send', request: { call: 'register' } } },
  'child.close': { type: 'child.close', id: 'form:register:1' },
  'form.saved': { type: 'form.saved', form: 'form:register:1', answer: null },
  'answer.recalled': { type: 'answer.recalled', seenAt: '2026-03-09T08:00:00.000Z' },
  'form.refused': { type: 'form.refused', form: 'form:register:1', problem: { code: 'outdated_link' } },
} satisfies Samples<EventFromLogic<typeof sessionMachine>>;

const refusedOrAway = [{ code: 'not_authorized' }, { code: 'offline' }];
describe('the session', () => {
  mapTests(sessionMachine, {
    inputs: [undefined],
    samples,
    answers: {
      otherTabs: [],
      restoreSession: [anna, { ...anna, must_enrol: true }, null, { projects: [riverside, harbour], rememberUser: true }],
      recallProfile: [{ profile: anna, seenAt: '2026-03-09T08:00:00.000Z' }, null],
      switchProject: [undefined],
      signIn: [{ projects: [riverside] }, { projects: [riverside, harbour] }, { projects: [] }, { projects: [], needsCode: true }],
      confirmSignIn: [{ projects: [riverside] }, { projects: [riverside, harbour] }, { projects: [] }],
      adoptOnly: [anna, { ...anna, must_enrol: true }],
      adoptChosen: [anna, { ...anna, must_enrol: true }],
      refreshTokens: [undefined],
      loadProfile: [
        { ...anna, version: '2' },
        { ...anna, must_enrol: true },
      ],
      checkProfile: [
        { ...anna, version: '2' },
        { ...anna, must_enrol: true },
      ],
      endSession: [undefined],
      endSessions: [undefined],
    },
    children: [{ type: 'xstate.error.actor.form:register:1', actorId: 'form:register:1', error: { code: 'internal' } }],
    failures: {
      restoreSession: refusedOrAway,
      confirmSignIn: [{ code: 'invalid_credentials' }, { code: 'second_factor_invalid' }],
      refreshTokens: refusedOrAway,
    },
  });
});
