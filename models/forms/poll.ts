import { customVote, type ReceivedAnnounce } from '../announce-calls.ts';
import { defineForm } from '../define-form.ts';
import { type Issue, toIssues } from '../issues.ts';

/** Chosen in place of the answers that are offered. */
export const customAnswer = 'own';
interface Draft {
  /** The place of an answer among those offered, or that it is a custom one; empty: none yet. */
  chosen: string;
  words: string;
}
const unanswered: Issue = { path: ['answer'], rule: 'required', params: {} };

/** Answers a poll: one of what it offers, or words of one's own. Where it offers nothing, there are only those. */
export const pollForm = defineForm({
  name: 'poll',
  call: 'sendPoll',
  start: ({ answers }: Pick<ReceivedAnnounce, 'token' | 'answers'>): Draft => ({ chosen: answers.length === 0 ? customAnswer : '', words: '' }),
  read: ({ chosen, words }, _base, { token }) => {
    if (chosen === '') return { issues: [unanswered] };
    if (chosen !== customAnswer) return { input: { params: { token }, body: { answer: Number(chosen) } } };
    const read = customVote.safeParse({ custom: words });
    return read.success ? { input: { params: { token }, body: read.data } } : { issues: toIssues(read.error) };
  },
});
