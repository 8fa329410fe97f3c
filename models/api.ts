import { z } from 'zod';
import { auditCalls } from './audit-calls.ts';
import { accessCalls } from './access-calls.ts';
import { accessEffectCalls } from './access-effect.ts';
import { accessMatrixCalls } from './access-matrix.ts';
import { areaCalls } from './area-calls.ts';
import { backupCalls } from './backups.ts';
import { byId, type Call, call } from './define-call.ts';
import { named, portrait } from './define-model.ts';
import { demoAccountCalls } from './demo-accounts.ts';
import { demoCalls } from './demo-calls.ts';
import { deviceCalls } from './device-calls.ts';
import { entryCalls } from './entry-calls.ts';
import { generatedGroup, generatedLevel, groupNode } from './groups.ts';
import { homeCalls } from './home.ts';
import { identifierCalls } from './identifier-calls.ts';
import { ipBlockingCalls } from './ip-blocking.ts';
import { integrationCalls } from './integration-calls.ts';
import { job } from './job.ts';
import { licenceCalls } from './licence-calls.ts';
import { licenceReportCalls } from './licence-reports.ts';
import {
  accountRemoval,
  appPopup,
  localeChange,
  passwordChange,
  profile,
  profilePatch,
  sessionGrant,
  sessionProject,
  sessionTokens,
  signInAnswer,
  signInBody,
  signedInSession,
} from './profile.ts';
import { password } from './rules.ts';
import { mobileCalls } from './mobile.ts';
import { communicationCalls } from './communication-calls.ts';
import { phoneCalls } from './phone-calls.ts';
import { phoneServerCalls } from './phone-server.ts';
import { projectSettingsCalls } from './project-settings.ts';
import { registrationCalls } from './registration-calls.ts';
import { sipSettingsCalls } from './sip-settings.ts';
import { passkeyCalls } from './passkey-calls.ts';
import { pushCalls } from './push-calls.ts';
import { codeBody, secondFactorCalls } from './second-factor-calls.ts';
import { walletCalls } from './wallet.ts';
import { searchCalls } from './search.ts';
import { systemCalls } from './system-info.ts';
import { numberCalls } from './sip-numbers.ts';
import { savedViewCalls } from './saved-views.ts';
import { watchCalls } from './watch-calls.ts';

/** Every call besides the plain list, item, create, update and delete of an area. Server and client derive from it. */
export const calls = {
  signIn: call({
    method: 'POST',
    path: '/login',
    access: 'anyone',
    urgent: true,
    summary: 'Sign in; one session for each project',
    body: signInBody,
    answer: signInAnswer,
    timeout: 3_000,
  }),
  secondStep: call({
    method: 'POST',
    path: '/login/second-factor',
    access: 'anyone',
    urgent: true,
    summary: 'Complete a sign-in by a code of the authenticator app or a recovery code',
    body: z.strictObject({ challenge: z.string().min(20).max(20_000).meta({ secret: true }), code: codeBody.shape.code }),
    answer: z.strictObject({ sessions: z.array(sessionGrant) }),
  }),
  refresh: call({
    method: 'POST',
    path: '/refresh',
    access: 'anyone',
    urgent: true,
    summary: 'Exchange a refresh token, once, for a new pair',
    body: z.strictObject({ token: z.string().min(1).max(512) }),
    answer: sessionTokens,
  }),
  signOut: call({ method: 'POST', path: '/logout', access: 'signedIn', enrols: true, urgent: true, summary: 'End this session' }),
  signOutEverywhere: call({
    method: 'POST',
    path: '/logout/all',
    access: 'signedIn',
    enrols: true,
    urgent: true,
    summary: 'End all sessions of this user',
  }),
  sessionProjects: call({
    method: 'GET',
    path: '/sessions/projects',
    access: 'signedIn',
    summary: 'The projects this sign-in opened a session in',
    answer: z.array(sessionProject),
  }),
  switchProject: call({
    method: 'POST',
    path: '/sessions/projects',
    access: 'signedIn',
    urgent: true,
    summary: 'Switch to another project of this sign-in; returns the tokens of its session',
    body: z.strictObject({ project_id: z.uuid() }),
    answer: sessionTokens,
  }),
  sessions: call({
    method: 'GET',
    path: '/sessions',
    access: 'signedIn',
    summary: 'Active sessions of this user',
    answer: z.array(signedInSession),
  }),
  endSession: call({
    method: 'DELETE',
    path: '/sessions/{id}',
    access: 'signedIn',
    urgent: true,
    summary: 'End one session of this user',
    params: byId,
  }),
  profile: call({ method: 'GET', path: '/profile', access: 'signedIn', enrols: true, summary: 'The signed-in user', answer: profile }),
  editProfile: call({
    method: 'PATCH',
    path: '/profile',
    access: 'signedIn',
    summary: 'Change own profile fields',
    body: profilePatch,
    answer: profile,
  }),
  deleteAccount: call({
    method: 'DELETE',
    path: '/profile',
    access: 'signedIn',
    summary: 'Delete own account; the password is asked for',
    body: accountRemoval,
  }),
  changePassword: call({
    method: 'POST',
    path: '/profile/password',
    access: 'signedIn',
    summary: 'Change own password; other sessions end',
    body: passwordChange,
  }),
  appPopup: call({
    method: 'PATCH',
    path: '/profile/app-popup',
    access: 'signedIn',
    summary: 'Show or hide the mobile-app promotion',
    body: appPopup,
  }),
  locale: call({
    method: 'PATCH',
    path: '/profile/locale',
    access: 'signedIn',
    enrols: true,
    summary: 'Save the interface language',
    body: localeChange,
  }),

  ...entryCalls,
  ...secondFactorCalls,
  ...passkeyCalls,
  ...pushCalls,
  ...mobileCalls,
  ...registrationCalls,

  userPassword: call({
    method: 'POST',
    path: '/users/{id}/password',
    access: { area: 'users', verb: 'edit' },
    summary: "Set a user's password; their sessions end",
    params: byId,
    body: z.strictObject({ new_password: password() }),
  }),
  registrationLink: call({
    method: 'POST',
    path: '/users/{id}/registration-link',
    access: { area: 'users', verb: 'edit' },
    summary: 'Send the registration link by e-mail',
    params: byId,
  }),
  setAvatar: call({
    method: 'POST',
    path: '/users/{id}/avatar',
    access: { area: 'users', verb: 'edit' },
    summary: 'Upload and crop an avatar',
    params: byId,
    files: ['image'],
    body: z.strictObject({ x: z.coerce.number(), y: z.coerce.number(), size: z.coerce.number() }),
    answer: z.strictObject({ avatar_url: portrait }),
  }),
  removeAvatar: call({
    method: 'DELETE',
    path: '/users/{id}/avatar',
    access: { area: 'users', verb: 'edit' },
    summary: 'Remove the avatar',
    params: byId,
  }),

  groupTree: call({
    method: 'GET',
    path: '/groups/tree',
    access: { area: 'groups', verb: 'view' },
    summary: 'All groups the user can view as one list, parents first',
    answer: z.array(groupNode),
  }),
  groupChildren: call({
    method: 'GET',
    path: '/groups/{id}/children',
    access: { area: 'groups', verb: 'view' },
    summary: 'The direct subgroups',
    params: byId,
    answer: z.array(groupNode),
  }),
  floorsAndApartments: call({
    method: 'GET',
    path: '/groups/{id}/floors-and-apartments',
    access: { area: 'groups', verb: 'view' },
    summary: 'Floors in a group with their apartments',
    params: byId,
    answer: z.array(
      z.strictObject({
        floor: named.extend({ logic_address: z.string().nullable() }),
        apartments: z.array(named.extend({ logic_address: z.string().nullable() })),
      }),
    ),
  }),
  generateGroups: call({
    method: 'POST',
    reads: true,
    path: '/groups/{id}/generate',
    access: { area: 'groups', verb: 'create' },
    summary: 'Preview a tree of groups; nothing is stored',
    params: byId,
    body: z.strictObject({ levels: z.array(generatedLevel).min(1).max(6) }),
    answer: z.strictObject({ count: z.int(), groups: z.array(generatedGroup) }),
  }),
  saveGeneratedGroups: call({
    method: 'POST',
    path: '/groups/{id}/generated',
    access: { area: 'groups', verb: 'create' },
    summary: 'Create a previewed tree; returns a job',
    params: byId,
    body: z.strictObject({ groups: z.array(generatedGroup).min(1).max(1_000) }),
    answer: job,
    success: [202],
  }),
  setGroupLogo: call({
    method: 'POST',
    path: '/groups/{id}/logo',
    access: { area: 'groups', verb: 'edit' },
    feature: 'whiteLabel',
    summary: 'Upload the white-label logo',
    params: byId,
    files: ['image'],
    answer: z.strictObject({ logo: portrait }),
  }),
  removeGroupLogo: call({
    method: 'DELETE',
    path: '/groups/{id}/logo',
    access: { area: 'groups', verb: 'edit' },
    feature: 'whiteLabel',
    summary: 'Remove the white-label logo',
    params: byId,
  }),

  ...deviceCalls,

  ...savedViewCalls,
  ...watchCalls,

  ...demoCalls,
  ...demoAccountCalls,

  ...homeCalls,
  ...searchCalls,
  ...accessEffectCalls,
  ...accessMatrixCalls,

  ...licenceCalls,
  ...licenceReportCalls,
  ...backupCalls,
  ...ipBlockingCalls,
  ...systemCalls,

  ...phoneCalls,
  ...phoneServerCalls,
  ...projectSettingsCalls,
  ...sipSettingsCalls,
  ...communicationCalls,
  ...walletCalls,
  ...numberCalls,
  ...identifierCalls,
  ...integrationCalls,
  ...accessCalls,
  ...auditCalls,

  ...areaCalls,
} as const;
export type CallName = keyof typeof calls;
export type BodyOf<C extends Call> = z.input<C['body']>;
export type ParamsOf<C extends Call> = z.input<C['params']>;
export type AnswerOf<C extends Call> = z.output<C['answer']>;
