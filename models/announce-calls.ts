import { z } from 'zod';
import { announceAudience, announceChannels, announces, announceStatuses, announceTypes } from './announces.ts';
import { byId, call } from './define-call.ts';
import { requiredText } from './rules.ts';
import { textPicture } from './text-pictures.ts';

/** Who an announcement would go to now: people, how many of them each way reaches, and the devices that would show it;
 * `sms_gateway`, `mail_server`: whether text messages and mails can be sent at all. */
const reach = z.strictObject({ people: z.int(), email: z.int(), sms: z.int(), devices: z.int(), sms_gateway: z.boolean(), mail_server: z.boolean() });
export type AnnounceReach = z.infer<typeof reach>;

/** queued: waits for its turn, or for a mail server; failed: did not arrive, and may be tried again. */
const channelDelivery = z.strictObject({ channel: z.enum(announceChannels), queued: z.int(), sent: z.int(), failed: z.int() });
const failure = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  channel: z.enum(announceChannels),
  reason: z.string(),
  words: z.string().nullable(),
});
const delivery = z.strictObject({
  recipients: z.int(),
  seen: z.int(),
  channels: z.array(channelDelivery),
  /** Without one, mails wait. */
  mail_server: z.boolean(),
  /** The first that did not arrive. */
  failures: z.array(failure),
});
export type AnnounceDelivery = z.infer<typeof delivery>;
export const mostFailures = 100;

/** One person's answer: one of those offered, by its place, or words of their own. */
export const longestAnswer = 500;
export const customVote = z.strictObject({ custom: requiredText(longestAnswer) });
export const pollVote = z.union([z.strictObject({ answer: z.int().min(0).max(99) }), customVote]);

/** An announcement as one of its recipients has it. */
const received = z.strictObject({
  id: z.uuid(),
  token: z.string(),
  type: z.enum(announceTypes),
  status: z.enum(announceStatuses),
  title: z.string(),
  body: z.string().meta({ kind: 'rich-text' }),
  sender: z.string().nullable(),
  started_at: z.iso.datetime(),
  ends_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  seen_at: z.iso.datetime().nullable(),
  answers: z.array(z.string()),
  custom_answer: z.boolean(),
  /** What the reader answered. */
  vote: z.strictObject({ answer: z.int().nullable(), custom: z.string().nullable() }).nullable(),
});
export type ReceivedAnnounce = z.infer<typeof received>;

/** What became of one message to a person, with the reason of one that failed. */
const sentMessage = z.strictObject({ channel: z.enum(announceChannels), state: z.enum(['queued', 'sent', 'failed']), reason: z.string().nullable() });
const response = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  group: z.string().nullable(),
  /** Besides the console: what is sent to devices belongs to nobody in particular. */
  messages: z.array(sentMessage),
  seen_at: z.iso.datetime().nullable(),
  answer: z.string().nullable(),
  answered_at: z.iso.datetime().nullable(),
});
export type AnnounceResponse = z.infer<typeof response>;
const responses = z.strictObject({
  announce: announces.row.pick({ id: true, title: true, type: true, status: true, recipients_count: true, seen_count: true, answers_count: true }),
  /** How many chose each answer, in the order in which they are offered. */
  results: z.array(z.strictObject({ answer: z.string(), votes: z.int() })),
  /** Words of their own. */
  custom_votes: z.int().nullable(),
  /** Those who answered or read it last first. */
  people: z.array(response),
});
export type AnnounceResponses = z.infer<typeof responses>;
export const mostResponses = 500;

const byToken = z.strictObject({ token: z.string().min(16).max(100) });
const sends = { codes: ['can_send_announces'], about: 'announces' } as const;
const views = { area: 'announces', verb: 'view' } as const;

/** What announcements are besides rows (COMM-03, COMM-04). */
export const announceCalls = {
  announceReach: call({
    method: 'POST',
    reads: true,
    path: '/announces/recipients',
    access: { area: 'announces', verb: 'create' },
    summary: 'How many people these users, groups, roles and markers name, as far as the user may see them; nothing is stored or sent',
    body: z.strictObject(announceAudience),
    answer: reach,
  }),
  uploadAnnouncePicture: call({
    method: 'POST',
    path: '/announces/pictures',
    access: { codes: ['can_create_announces', 'can_edit_announces'], about: 'announces' },
    summary: 'Upload a picture for the text of an announcement; one that no text has is removed after a day',
    files: ['image'],
    answer: textPicture,
  }),
  startAnnounce: call({
    method: 'POST',
    path: '/announces/{id}/start',
    access: sends,
    summary: 'Send an announcement, or schedule it for its planned start',
    params: byId,
    answer: announces.row,
    timeout: 30_000,
  }),
  stopAnnounce: call({
    method: 'POST',
    path: '/announces/{id}/stop',
    access: sends,
    summary: 'Withdraw an announcement: its recipients no longer see or answer it; a scheduled one becomes a draft again',
    params: byId,
    answer: announces.row,
  }),
  retryAnnounce: call({
    method: 'POST',
    path: '/announces/{id}/retry',
    access: sends,
    summary: 'Send the messages again that did not arrive, and no others; answers how many',
    params: byId,
    answer: z.int(),
  }),
  announceDelivery: call({
    method: 'GET',
    path: '/announces/{id}/delivery',
    access: views,
    summary: 'How far the messages of an announcement have come, by channel, and those that failed with the reason',
    params: byId,
    answer: delivery,
  }),
  announceResponses: call({
    method: 'GET',
    path: '/announces/{id}/responses',
    access: views,
    summary: `Who has read an announcement and what they answered: the last ${mostResponses}; people out of sight are counted only`,
    params: byId,
    answer: responses,
  }),
  exportAnnounceResponses: call({
    method: 'GET',
    path: '/announces/{id}/responses/export',
    access: views,
    summary: 'All recipients of an announcement that the user can view, with their answers, as a file',
    params: byId,
    query: z.strictObject({ format: z.enum(['csv', 'xlsx']) }),
    answer: z.unknown(),
    download: true,
  }),
  myAnnounces: call({
    method: 'GET',
    path: '/announces/mine',
    access: 'signedIn',
    summary: 'The announcements that are out and were sent to the user, newest first',
    answer: z.array(received),
  }),
  announceByToken: call({
    method: 'GET',
    path: '/announces/token/{token}',
    access: 'signedIn',
    summary: 'An announcement by the token of its link, for its recipients alone',
    params: byToken,
    answer: received,
  }),
  readAnnounce: call({
    method: 'POST',
    path: '/announces/token/{token}/read',
    access: 'signedIn',
    summary: 'Mark an announcement as read by the user',
    params: byToken,
  }),
  sendPoll: call({
    method: 'POST',
    path: '/announces/token/{token}/poll',
    access: 'signedIn',
    summary: 'Answer a poll, once',
    params: byToken,
    body: pollVote,
    answer: received,
  }),
} as const;
