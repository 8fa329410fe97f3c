// Keeps in order: one form: its draft, what is wrong with it, the call that saves it, what was answered or refused, and leaving it. A button with a call is a form without a draft.
// Spawned by: workspace, and session for those who are not signed in, as form:<name> for as long as a view stands.
// Asks (ports): runCall.
// Tells (facts): form.saved, form.refused, form.touched, form.settled, form.left, form.stayed; asks of alerts: alert.show, dialog.ask.
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { problemOf, timedOut } from '../port.ts';
import {
  type CallRequest,
  checked,
  type FormContext,
  formSetup,
  hasChanges,
  incompleteAlert,
  refusedAlert,
  requestOf,
  savedAlert,
  startOf,
  unsavedNews,
  valueOf,
} from './form.setup.ts';

export type { CallRequest, FormAnswer, FormContext, FormDraft, FormEvent, FormFact, FormInput } from './form.setup.ts';

/** A call that is there, because its guard has seen to it. */
function callOf(request: CallRequest | null): CallRequest {
  if (!request) throw new Error('a form was sent without a call');
  return request;
}
const notifyUnsaved = { type: 'notify', params: ({ context }: { context: FormContext }) => unsavedNews(context) } as const;

/** A draft without a call is saved by whoever gets it. */
const takeValue = { type: 'takeAnswer', params: ({ context }: { context: FormContext }) => ({ answer: valueOf(context)?.value }) } as const;
const notifyValue = {
  type: 'notify',
  params: ({ context }: { context: FormContext }) => ({ type: 'form.saved', answer: context.answer }) as const,
} as const;

/** One call at a time; a second press while one runs is not heard. */
export const formMachine = formSetup.createMachine({
  id: 'form',
  context: ({ input: { form = null, given = null } }) => {
    const base = startOf({ form, given });
    return checked({ form, given, base, draft: base, sent: base, serverIssues: [], answer: null, problem: null, issues: [] });
  },
  initial: 'open',
  on: {
    'form.change': { actions: [{ type: 'change', params: ({ event }) => event }, notifyUnsaved] },
    'form.rebase': { actions: [{ type: 'rebase', params: ({ event }) => event }, notifyUnsaved] },
    'form.leave': { actions: { type: 'notify', params: { type: 'form.stayed' } } },
  },
  states: {
    open: {
      initial: 'fresh',
      on: {
        'form.save': [
          { guard: 'isComplete', target: 'sending' },
          { guard: 'isApprovable', target: '.saved', actions: ['begin', takeValue, notifyUnsaved, notifyValue] },
          { target: '.incomplete', actions: { type: 'request', params: ({ context }) => incompleteAlert(context) } },
        ],
        'form.send': { target: 'sending' },
        'form.reset': { target: '.fresh', actions: ['reset', notifyUnsaved] },
        'form.leave': [{ guard: 'isHeld', target: 'leaving' }, { actions: { type: 'notify', params: { type: 'form.left' } } }],
      },
      states: {
        fresh: {},
        incomplete: { tags: 'checked' },
        refused: { tags: ['failed', 'checked'] },
        saved: { tags: 'done' },
        before: { type: 'history' },
      },
    },
    sending: {
      tags: ['running', 'checked'],
      entry: 'begin',
      invoke: {
        id: 'runCall',
        src: 'runCall',
        input: ({ context, event }) => callOf(event.type === 'form.send' ? event.request : requestOf(context)),
        onDone: {
          target: 'open.saved',
          actions: [
            { type: 'takeAnswer', params: ({ event }) => ({ answer: event.output }) },
            { type: 'request', params: ({ context }) => savedAlert(context) },
            notifyUnsaved,
            { type: 'notify', params: ({ event }) => ({ type: 'form.saved', answer: event.output }) },
          ],
        },
        onError: {
          target: 'open.refused',
          actions: [
            { type: 'rememberProblem', params: ({ event }) => event },
            { type: 'request', params: ({ context, event }) => refusedAlert(context, event.error) },
            { type: 'notify', params: ({ event }) => ({ type: 'form.refused', problem: problemOf(event.error) }) },
          ],
        },
      },
      after: {
        answerTimeout: {
          target: 'open.refused',
          actions: [
            { type: 'rememberProblem', params: { error: timedOut } },
            { type: 'request', params: ({ context }) => refusedAlert(context, timedOut) },
            { type: 'notify', params: { type: 'form.refused', problem: timedOut } },
          ],
        },
      },
    },
    leaving: {
      tags: 'asking',
      entry: 'ask',
      on: {
        'form.leave': {},
        'dialog.answered': [
          {
            guard: { type: 'isApproved', params: ({ event }) => event },
            target: 'open.fresh',
            actions: ['reset', { type: 'notify', params: { type: 'form.left' } }],
          },
          { target: 'open.before', actions: { type: 'notify', params: { type: 'form.stayed' } } },
        ],
      },
    },
  },
});
export type FormActor = ActorRefFrom<typeof formMachine>;
export type FormSnapshot = SnapshotFrom<typeof formMachine>;
/** Whether anything differs from what the form started with. */
export const isChanged = ({ context }: FormSnapshot): boolean => hasChanges(context);
