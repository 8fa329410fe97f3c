import type { BodyOf, CallName, calls, ParamsOf } from './api.ts';
import type { Issue } from './issues.ts';

type Calls = typeof calls;
/** What one call of the contract is given. */
export interface CallInput<C extends CallName> {
  params?: ParamsOf<Calls[C]>;
  query?: Readonly<Record<string, string>>;
  body?: BodyOf<Calls[C]>;
  files?: Readonly<Record<string, unknown>>;
  /** How long somebody may take over it, in ms, where the browser asks them. */
  timeout?: number;
}
/** What saving would send, or why it cannot be sent. */
export type Reading<C extends CallName> = { input: CallInput<C> } | { issues: readonly Issue[] };

/** A form as data: what it starts with, what is wrong with its draft, and the call that saves it. Plain data goes in and comes out. */
export interface Form<C extends CallName, Draft extends object, Given> {
  name: string;
  call: C;
  /** The draft of somebody who has changed nothing. */
  start(given: Given): Draft;
  read(draft: Draft, base: Draft, given: Given): Reading<C>;
  /** What is asked before changes that are not saved are left behind; without it they go without a question. */
  leave?: { text: string; approve: string };
  /** The key of what is said when it has been saved. */
  saved?: string;
  /** What is said in the alerts area too: that something is wrong with the draft, why it was refused. The view shows the rest in its place. */
  announces?: readonly ('issues' | 'problems')[];
}
/** A form without a call: approved, it hands over what its draft comes to, and whoever opened it goes on with that. */
export interface DraftForm<Value, Draft extends object, Given> extends Pick<Form<CallName, Draft, Given>, 'name' | 'start' | 'leave'> {
  read(draft: Draft, base: Draft, given: Given): { value: Value } | { issues: readonly Issue[] };
}
/** Any form, as the machine knows it: by its name, with drafts it does not look into. */
export interface AnyForm extends Pick<Form<CallName, object, unknown>, 'name' | 'start' | 'leave' | 'saved' | 'announces'> {
  call?: CallName;
  read(draft: object, base: object, given: unknown): Reading<CallName> | { value: unknown };
}

const known = new Map<string, AnyForm>();

/** Makes a form known by its name, so that an actor's context holds no more than that. */
export function defineForm<C extends CallName, Draft extends object, Given>(form: Form<C, Draft, Given>): Form<C, Draft, Given> {
  known.set(form.name, form as unknown as AnyForm);
  return form;
}

/** Makes a form without a call known by its name. */
export function defineDraft<Value, Draft extends object, Given>(form: DraftForm<Value, Draft, Given>): DraftForm<Value, Draft, Given> {
  known.set(form.name, form as unknown as AnyForm);
  return form;
}

/**
 * The form of that name.
 * @throws Error when its file was never loaded; whoever opens a form has imported it.
 */
export function formOf(name: string): AnyForm {
  const form = known.get(name);
  if (!form) throw new Error(`no form is called ${name}`);
  return form;
}
