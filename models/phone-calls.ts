import { z } from 'zod';
import { constants } from './constants.ts';
import { callDirections, callInfo, callTypes, historyStatuses, serverCall } from './call.ts';
import { call } from './define-call.ts';
import { named, picture, placedGroup } from './define-model.ts';
import { guestTypes } from './identifiers.ts';
import { acts } from './permissions.ts';
import { optionalText, refs } from './rules.ts';
import { dialable } from './sip.ts';

const number = z.string().regex(dialable);
const byNumber = z.strictObject({ number });
const bySpeech = z.strictObject({ speechId: z.uuid() });
const phone = { access: 'signedIn', feature: 'webDialer', urgent: true } as const;
/** Those at a front desk: they take the calls of queues, and calls of groups before the groups' people. */
const desk = {
  access: { codes: acts.takeWaitingCalls, about: 'calls' },
  feature: 'webDialer',
} as const;
const interceptor = { access: { codes: acts.intercept, about: 'calls' }, feature: 'webDialer', urgent: true } as const;

/** Somebody or something one may call. */
export const contact = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  number: z.string(),
  kind: z.enum(['user', 'device', 'group']),
  /** The person, where they may be seen. */
  user: z.strictObject({ ...named.shape, description: z.string().nullable() }).nullable(),
  /** What somebody at the desk is there: their role. */
  title: z.string().nullable(),
  /** The group it belongs to, as people read it. */
  group: z.string().nullable(),
  /** Whether the number can be reached now; null where that is not known. */
  is_reachable: z.boolean().nullable(),
});
export type Contact = z.infer<typeof contact>;

/** One end of a call; `user` is how it is called, null where that is not known. */
const end = z.strictObject({ number: z.string(), user: z.strictObject({ name: z.string() }).nullable() });

/** A call as a number's own history has it: seen from that number. */
export const dialerEntry = z.strictObject({
  /** The speech id. */
  id: z.uuid(),
  direction: z.enum(callDirections),
  /** Lower case, however a server spells it (clause CALL-18). */
  status: z.preprocess((value) => (typeof value === 'string' ? value.toLowerCase() : value), z.enum(historyStatuses)),
  type: z.enum(callTypes),
  from: end,
  to: end,
  group: z.string().nullable(),
  /** The group of the person at the other end, where its people may be written to. */
  home: named.nullable(),
  created_at: z.iso.datetime(),
  /** Seconds of talk; 0 where there was none. */
  duration: z.int(),
  /** Who took it, where it was not the number itself: "answered by a colleague". */
  answered_by: z.strictObject({ number: z.string(), name: z.string().nullable() }).nullable(),
  sos: z.boolean(),
  door_opened: z.boolean(),
  note: z.string().nullable(),
  /** What the caller’s camera showed, where it was saved. */
  image_url: picture.nullable(),
});
export type DialerEntry = z.infer<typeof dialerEntry>;

/** The groups one may intercept, and how it stands (clause INT-07): `groups` chosen, `user_groups` one's own. */
export const interception = z.strictObject({ is_active: z.boolean(), groups: z.array(placedGroup), user_groups: z.array(placedGroup) });
export type Interception = z.infer<typeof interception>;

/** What a web phone has to know before it begins. */
export const phoneSettings = z.strictObject({
  /** Where SIP is spoken over WebSocket; `host` null is the console's own. `realm`: the domain of the numbers there, where that is not the host. */
  sip: z.strictObject({ host: z.string().nullable(), port: z.int(), secure: z.boolean(), realm: z.string().nullable().default(null) }),
  /** Further places, `host:port`, for the time that the first cannot be reached. */
  nodes: z.array(z.string()).default([]),
  ice_servers: z.array(z.strictObject({ urls: z.string(), username: z.string().optional(), credential: z.string().optional() })),
  /** Queues whose calls one takes: their numbers name the realtime topics. */
  queues: z.array(z.strictObject({ number: z.string(), name: z.string(), group: z.string().nullable() })),
  /** A call on hold calls back after so many seconds. */
  recall_seconds: z.int(),
});
export type PhoneSettings = z.infer<typeof phoneSettings>;

/** Where a call goes: to a number at once, or into another call of one's own. */
export const transferTarget = z.union([z.strictObject({ number }), z.strictObject({ speech_id: z.uuid() })]);
export type TransferTarget = z.infer<typeof transferTarget>;

/** What the web phone asks for besides signalling. */
export const phoneCalls = {
  phoneSettings: call({ ...phone, method: 'GET', path: '/calls/settings', summary: 'Where and how the web phone registers', answer: phoneSettings }),
  contacts: call({
    ...phone,
    method: 'GET',
    path: '/sip-numbers/contacts',
    summary: 'Contacts the user can call, by name',
    answer: z.array(contact),
  }),
  callInfo: call({
    ...phone,
    method: 'GET',
    path: '/sip-numbers/{number}/call-info',
    summary: 'Who a number belongs to, as far as the user can view it',
    params: byNumber,
    answer: callInfo,
  }),
  dialerHistory: call({
    ...phone,
    method: 'GET',
    path: '/calls/history/dialer/{number}',
    summary: 'Calls of one of the user’s own numbers or queues, newest first',
    params: byNumber,
    query: z.strictObject({
      page: z.coerce.number().int().min(1).default(constants.dialerHistoryPage.page),
      size: z.coerce.number().int().min(1).max(100).default(constants.dialerHistoryPage.size),
    }),
    answer: z.array(dialerEntry),
  }),
  waitingCalls: call({
    ...desk,
    method: 'GET',
    path: '/calls/waiting',
    summary: 'Live calls of the queues the user can view, and calls the user intercepts: SOS first, then the oldest',
    answer: z.array(serverCall),
  }),
  stopCall: call({
    ...phone,
    method: 'POST',
    path: '/calls/{speechId}/stop',
    summary: 'End a call for all parties: the user’s own, or one of a visible queue',
    params: bySpeech,
  }),
  transferCall: call({
    ...phone,
    method: 'POST',
    path: '/calls/{speechId}/transfer',
    summary: 'Transfer the other party of the user’s own call to a number, or to the other party of another own call',
    params: bySpeech,
    body: transferTarget,
  }),
  callNote: call({
    ...phone,
    method: 'GET',
    path: '/calls/{speechId}/note',
    summary: 'The note of a call, also while it is in progress; null when there is none',
    params: bySpeech,
    answer: z.strictObject({ note: z.string().nullable() }),
  }),
  noteCall: call({
    ...phone,
    method: 'POST',
    path: '/calls/{speechId}/note',
    summary: 'Write the note of a call, or remove it (null)',
    params: bySpeech,
    body: z.strictObject({ note: optionalText(500) }),
  }),
  explainOpening: call({
    ...phone,
    method: 'POST',
    path: '/calls/{speechId}/opening',
    summary: 'Log the reason for opening the door of the panel in this call',
    params: bySpeech,
    body: z.strictObject({ reason: z.string().trim().min(1).max(255) }),
  }),
  callPicture: call({
    ...phone,
    method: 'GET',
    path: '/calls/{speechId}/picture',
    summary: 'The caller’s current camera image as WebP, also before the call is answered; 204 when there is none',
    params: bySpeech,
    download: true,
    success: [200, 204],
  }),
  saveCallPicture: call({
    ...phone,
    method: 'POST',
    path: '/calls/{speechId}/picture',
    summary: 'Save the caller’s current camera image with the call, in place of one saved before',
    params: bySpeech,
  }),
  callVisitors: call({
    ...phone,
    method: 'GET',
    path: '/calls/{speechId}/visitors',
    summary:
      'Guests who are expected now by whom the call is for: by the person and their groups, or by the groups of the desk; those whose time ends first',
    params: bySpeech,
    answer: z.strictObject({
      visitors: z.array(z.strictObject({ name: z.string(), guestType: z.enum(guestTypes).nullable(), group: placedGroup.nullable() })),
      total: z.int(),
    }),
  }),
  interception: call({
    ...interceptor,
    method: 'GET',
    path: '/calls/interception',
    summary: 'Whether interception is on, and for which groups',
    answer: interception,
  }),
  setInterception: call({
    ...interceptor,
    method: 'POST',
    path: '/calls/interception',
    summary: 'Start or stop intercepting calls of groups; returns the new state',
    body: z.strictObject({ is_active: z.boolean(), domains: refs('groups') }),
    answer: interception,
  }),
} as const;
