import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { named } from './define-model.ts';

/** So long a reader waits for the card that is to be enrolled. */
export const enrolmentSeconds = 30;

/** What readers tell of a card or key fob. */
export const cardTypes = ['card', 'ukey'] as const;

/** A reader of cards that somebody may enrol at; `online` is null where that is not known or not told. */
export const cardReader = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  group: z.string().nullable(),
  online: z.boolean().nullable(),
  /** The one they enrolled at last. */
  last: z.boolean(),
});
export type CardReader = z.infer<typeof cardReader>;

/** A card as a reader saw it. `known`: it is in the project already, as which identifier and whose, as far as that may be told. */
export const presentedCard = z.strictObject({
  type: z.enum(cardTypes),
  value: z.string(),
  known: z.strictObject({ identifier: named.nullable(), owner: named.nullable() }).nullable(),
});
export type PresentedCard = z.infer<typeof presentedCard>;

/** What has come of waiting for a card: none yet, one, or none in time. */
export const enrolment = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('waiting') }),
  z.strictObject({ state: z.literal('read'), card: presentedCard }),
  z.strictObject({ state: z.literal('over') }),
]);
export type Enrolment = z.infer<typeof enrolment>;

const makesIdentifiers = { area: 'identifiers', verb: 'create' } as const;

/** Enrolling a card: the next one presented at a reader is told to whoever asked, and opens nothing. */
export const enrolmentCalls = {
  cardReaders: call({
    method: 'GET',
    path: '/enrolments/readers',
    access: makesIdentifiers,
    summary: 'The card readers the user can enrol cards at',
    answer: z.array(cardReader),
  }),
  beginEnrolment: call({
    method: 'POST',
    path: '/enrolments',
    access: makesIdentifiers,
    summary: 'Let a reader wait 30 s for a card; the next one presented there is told to this session and opens nothing',
    body: z.strictObject({ device: z.uuid() }),
    answer: z.strictObject({ id: z.uuid(), seconds: z.int() }),
    timeout: 8_000,
  }),
  /** At an address of its own: a browser holds back other requests for the same one until a long answer has come. */
  enrolment: call({
    method: 'GET',
    path: '/enrolments/{id}/card',
    access: makesIdentifiers,
    summary: 'The card that was presented; answered when there is one, when time is up, or after 10 s',
    params: byId,
    answer: enrolment,
    timeout: 20_000,
  }),
  cancelEnrolment: call({
    method: 'DELETE',
    path: '/enrolments/{id}',
    access: makesIdentifiers,
    summary: 'The reader waits no longer and opens as usual',
    params: byId,
  }),
  unknownCard: call({
    method: 'GET',
    path: '/access-control/events/{id}/card',
    access: makesIdentifiers,
    summary: 'The number of the unknown card that was refused in an access event',
    params: byId,
    answer: presentedCard,
  }),
} as const;
