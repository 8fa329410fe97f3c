import { z } from 'zod';
import { defineModel, named, placedGroup, type RowOf } from './define-model.ts';
import type { Issue } from './issues.ts';
import { withoutSignatures } from './picture-sources.ts';
import { choice, flag, refs, requiredText, rule } from './rules.ts';

export const announceTypes = ['info', 'poll'] as const;
/** new: being written; planned: starts by itself; started: out; stopped: withdrawn by hand; expired: over at its planned end. */
export const announceStatuses = ['new', 'planned', 'started', 'stopped', 'expired'] as const;
export type AnnounceStatus = (typeof announceStatuses)[number];
/** Besides the console, in which every recipient finds it. */
export const announceChannels = ['email', 'devices', 'sms'] as const;
export type AnnounceChannel = (typeof announceChannels)[number];

/** Formatted text is longer on the wire than what is read of it. */
const mostBody = 50_000;
const mostAnswers = 20;
const moment = () => z.iso.datetime().meta({ kind: 'moment' });
const distinct = (list: readonly string[]): boolean => new Set(list.map((one) => one.toLowerCase())).size === list.length;

/** Whom an announcement names; people are never named twice. */
export const announceAudience = { users: refs('users'), domains: refs('groups'), roles: refs('roles'), markers: refs('markers') };
const namesNobody = (wire: Record<string, unknown>): boolean =>
  Object.keys(announceAudience).every((field) => Array.isArray(wire[field]) && wire[field].length === 0);

const issue = (field: string, said: string): Issue => ({ path: [field], rule: said, params: {} });

/** What is wrong between fields; a change that leaves some out is looked at with those that stay (`server/modules/announces/rules.ts`). */
export function announceIssues(wire: Record<string, unknown>): Issue[] {
  const { type, answers, custom_answer: custom, execute_at: from, ends_at: to } = wire;
  const hasAnswers = !Array.isArray(answers) || answers.length > 0;
  return [
    ...(namesNobody(wire) ? [issue('users', 'announce_needs_recipients')] : []),
    ...(type === 'poll' && !hasAnswers && custom !== true ? [issue('answers', 'poll_needs_answers')] : []),
    ...(typeof from === 'string' && typeof to === 'string' && Date.parse(to) <= Date.parse(from) ? [issue('ends_at', 'moment_order')] : []),
  ];
}

/** Announcements to the people of a building, for information or as a poll (FIELD-39, DATA-52 to DATA-55). */
export const announces = defineModel({
  name: 'announces',
  fields: {
    type: choice(announceTypes),
    title: requiredText(120),
    /** A few tags of HTML; everything else is taken out before it is stored. */
    body: requiredText(mostBody).overwrite(withoutSignatures).meta({ kind: 'rich-text', max: mostBody }),
    send_via: z
      .array(choice(announceChannels))
      .max(announceChannels.length)
      .transform((list) => announceChannels.filter((channel) => list.includes(channel)))
      .meta({ kind: 'channels' }),
    ...announceAudience,
    /** When it starts by itself, once it was sent. */
    execute_at: moment().nullable(),
    ends_at: moment().nullable(),
    answers: z.array(requiredText(100)).max(mostAnswers).refine(distinct, rule('unique')).meta({ kind: 'answers' }),
    custom_answer: flag(),
  },
  shown: {
    users: z.array(named),
    domains: z.array(placedGroup),
    roles: z.array(named),
    markers: z.array(named.extend({ color: z.string() })),
    status: z.enum(announceStatuses),
    started_at: z.iso.datetime().nullable(),
    /** When it was withdrawn or was over. */
    ended_at: z.iso.datetime().nullable(),
    recipients_count: z.int(),
    seen_count: z.int(),
    answers_count: z.int(),
    /** Messages that did not reach their recipients. */
    failed_count: z.int(),
    created_by: z.uuid().nullable(),
  },
  initial: {
    type: 'info',
    title: '',
    body: '',
    send_via: ['email'],
    users: [],
    domains: [],
    roles: [],
    markers: [],
    execute_at: null,
    ends_at: null,
    answers: [],
    custom_answer: false,
  },
  filters: { title: 'text', type: 'choice', status: 'choice', domains: 'refs', execute_at: 'time', started_at: 'time', created_at: 'time' },
  sorts: ['title', 'type', 'status', 'execute_at', 'started_at', 'created_at', 'updated_at'],
  refine: announceIssues,
});
export type Announce = RowOf<typeof announces>;
