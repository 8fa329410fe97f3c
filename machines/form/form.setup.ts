import { assign, enqueueActions, setup } from 'xstate';
import type { CallName } from '#models/api.ts';
import { formOf } from '#models/define-form.ts';
import type { Issue } from '#models/issues.ts';
import { longCalls } from '#models/long-calls.ts';
import type { Problem } from '#models/problem.ts';
import type { AlertsRequest } from '../alerts/alerts.machine.ts';
import { confirmDialog, type DialogAnswered } from '../alerts/dialog.ts';
import { answerTimeout, endless, parentOf, problemOf, unplugged } from '../port.ts';
import { errorAlert, problemAlert } from '../alert-requests.ts';

/** One call that is not plain CRUD: its name, what its path, its address and its body take, and files by the name of their form field. */
export interface CallRequest {
  call: CallName;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  files?: Readonly<Record<string, unknown>>;
  /** How long somebody may take over it, in ms, where the browser asks them. */
  timeout?: number;
}
/** What a person has typed and chosen, by field. */
export type FormDraft = Readonly<Record<string, unknown>>;
/** Which form it is (`models/forms`) and what it is about; without a name it makes whatever call it is told to. */
export interface FormInput {
  form?: string;
  given?: unknown;
}
export type FormEvent =
  | DialogAnswered
  | { type: 'form.change'; part: FormDraft }
  /** What it starts with has come or is another one; what was changed stays changed. */
  | { type: 'form.rebase'; given: unknown }
  /** Sends the draft, if nothing is wrong with it. */
  | { type: 'form.save' }
  /** Makes this call, whatever the draft. */
  | { type: 'form.send'; request: CallRequest }
  | { type: 'form.reset' }
  | { type: 'form.leave' };
type FormNews =
  | { type: 'form.saved'; answer: unknown }
  | { type: 'form.refused'; problem: Problem }
  /** It holds changes that would be lost; only forms that ask before they are left tell so. */
  | { type: 'form.touched' }
  | { type: 'form.settled' }
  | { type: 'form.left' }
  /** Asked to leave, the person chose to stay. */
  | { type: 'form.stayed' };
/** What a form tells, with its own id. */
export type FormFact = FormNews & { form: string };
/** How a call ended, for the view. */
export type FormAnswer = Extract<FormFact, { type: 'form.saved' | 'form.refused' }>;

/** What it holds. */
export interface FormContext {
  form: string | null;
  given: unknown;
  /** The draft with nothing changed. */
  base: FormDraft;
  draft: FormDraft;
  /** The draft as it was sent last. */
  sent: FormDraft;
  /** What is wrong with the draft. */
  issues: readonly Issue[];
  /** What the server found wrong with fields that were not changed since. */
  serverIssues: readonly Issue[];
  answer: unknown;
  problem: Problem | null;
}
type Drafted = Pick<FormContext, 'form' | 'given' | 'base' | 'draft'>;

const same = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);
/** The fields of a draft that differ from what it started with. */
const changesOf = ({ base, draft }: Drafted): FormDraft =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => !same(value, base[key])));
/** Whether anything differs from what the form started with. */
export const hasChanges = (drafted: Drafted): boolean => Object.keys(changesOf(drafted)).length > 0;
const readingOf = ({ form, draft, base, given }: Drafted) => (form === null ? null : formOf(form).read(draft, base, given));
function issuesIn(drafted: Drafted): readonly Issue[] {
  const reading = readingOf(drafted);
  return reading && 'issues' in reading ? reading.issues : [];
}
/** The call that saves the draft; none for a form without one, or while something is wrong. */
export function requestOf(drafted: Drafted): CallRequest | null {
  const reading = readingOf(drafted);
  const call = drafted.form === null ? undefined : formOf(drafted.form).call;
  return call && reading && 'input' in reading ? { call, ...(reading.input as Omit<CallRequest, 'call'>) } : null;
}
/** How long the form waits for the answer, in ms: longer than the call may take. */
function waitFor(request: CallRequest | null): number {
  const long = request && (longCalls as Partial<Record<string, number | false>>)[request.call];
  return long === false ? endless : Math.max(answerTimeout, 1.5 * (long ?? 0), 1.5 * (request?.timeout ?? 0));
}
/** What a draft without a call comes to, to be handed over; nothing while something is wrong. */
export function valueOf(drafted: Drafted): { value: unknown } | null {
  const reading = readingOf(drafted);
  return reading && 'value' in reading ? reading : null;
}
/** The draft that a form starts with. */
export function startOf({ form, given }: Pick<FormContext, 'form' | 'given'>): FormDraft {
  return form === null ? {} : { ...formOf(form).start(given) };
}
/** The draft with what is wrong with it. */
export const checked = <T extends Drafted>(drafted: T): T & { issues: readonly Issue[] } => ({ ...drafted, issues: issuesIn(drafted) });

/** What the server found wrong, by field, in a refusal that says so. */
function refusedIssues({ data }: Problem): readonly Issue[] {
  const issues = (data as { issues?: unknown } | null | undefined)?.issues;
  return Array.isArray(issues) ? (issues as Issue[]) : [];
}
const isAbout = (part: FormDraft, { path }: Issue): boolean => path.some((step) => typeof step === 'string' && step in part);
const aboutOf = ({ form }: FormContext) => (form === null ? null : formOf(form));

/** Whoever keeps the page hears whether it may be left without a question. */
export const unsavedNews = (context: FormContext): FormNews | null =>
  aboutOf(context)?.leave ? { type: hasChanges(context) ? 'form.touched' : 'form.settled' } : null;
/** What is said when the draft has been saved. */
export function savedAlert(context: FormContext): AlertsRequest | null {
  const key = aboutOf(context)?.saved;
  return key ? { type: 'alert.show', alert: { kind: 'success', key } } : null;
}
/** What is said of a refusal, and of a draft with something wrong in it, where the view says nothing by itself. */
export const refusedAlert = (context: FormContext, error: unknown): AlertsRequest | null =>
  aboutOf(context)?.announces?.includes('problems') ? problemAlert(error) : null;
export const incompleteAlert = (context: FormContext): AlertsRequest | null =>
  aboutOf(context)?.announces?.includes('issues') ? errorAlert('interface.check_fields_data') : null;

/** What the chart of a form is made of: its words, ports, actions, guards and delays. */
export const formSetup = setup({
  types: {
    input: {} as FormInput,
    context: {} as FormContext,
    events: {} as FormEvent,
    emitted: {} as FormFact | AlertsRequest,
    tags: {} as 'running' | 'done' | 'failed' | 'checked' | 'asking',
  },
  actors: { runCall: unplugged<unknown, CallRequest>('runCall') },
  actions: {
    notify: enqueueActions(({ enqueue, self }, news: FormNews | null) => {
      if (!news) return;
      const fact: FormFact = { ...news, form: self.id };
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
    request: enqueueActions(({ enqueue, self }, request: AlertsRequest | null) => {
      if (!request) return;
      enqueue.emit(request);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, request);
    }),
    change: assign(({ context }, { part }: { part: FormDraft }) => ({
      ...checked({ ...context, draft: { ...context.draft, ...part } }),
      serverIssues: context.serverIssues.filter((issue) => !isAbout(part, issue)),
    })),
    rebase: assign(({ context }, { given }: { given: unknown }) => {
      const base = startOf({ form: context.form, given });
      return checked({ ...context, given, base, draft: { ...base, ...changesOf(context) } });
    }),
    reset: assign(({ context }) => ({ ...checked({ ...context, draft: context.base }), serverIssues: [], answer: null, problem: null })),
    begin: assign(({ context }) => ({ sent: context.draft, answer: null, problem: null })),
    takeAnswer: assign(({ context }, { answer }: { answer: unknown }) => ({
      ...checked({ ...context, base: context.sent }),
      serverIssues: [],
      answer,
    })),
    rememberProblem: assign((_, { error }: { error: unknown }) => {
      const problem = problemOf(error);
      return { problem, serverIssues: refusedIssues(problem) };
    }),
    ask: enqueueActions(({ context, enqueue, self }) => {
      const question = aboutOf(context)?.leave;
      if (!question) return;
      const { text, approve } = question;
      const dialog = confirmDialog({ text: { key: text }, approve: { key: approve }, danger: true, about: 'leave', replyTo: self });
      enqueue.emit({ type: 'dialog.ask', dialog });
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, { type: 'dialog.ask', dialog });
    }),
  },
  guards: {
    isComplete: ({ context }) => requestOf(context) !== null,
    isApprovable: ({ context }) => valueOf(context) !== null,
    isHeld: ({ context }) => aboutOf(context)?.leave !== undefined && hasChanges(context),
    isApproved: (_, { action }: DialogAnswered) => action === 'approve',
  },
  delays: {
    answerTimeout: ({ context, event }) => waitFor(event.type === 'form.send' ? event.request : requestOf(context)),
  },
});
