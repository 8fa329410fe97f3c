import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useMemo } from 'react';
import { type FormActor, type FormDraft, type FormSnapshot, isChanged } from '#machines/form/form.machine.ts';
import type { AnswerOf, CallName, calls } from '#models/api.ts';
import type { DraftForm, Form } from '#models/define-form.ts';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import { type OwnForm, useOwnForm } from './view-child.ts';

/** A form as its view draws it; `Answer` is what saving brings. */
export interface FormView<Answer, Draft extends object> {
  draft: Draft;
  /** What is wrong, once saving was tried: what the server found, and what the draft shows by itself. */
  issues: readonly Issue[];
  /** What is wrong with the draft, whether saving was tried or not; nothing if it could be saved as it is. */
  wrong: readonly Issue[];
  /** Whether anything was changed. */
  changed: boolean;
  running: boolean;
  done: boolean;
  answer: Answer | null;
  problem: Problem | null;
  change: (part: Partial<Draft>) => void;
  save: () => void;
  reset: () => void;
  /** Leaves the form, by way of its question where changes would be lost; `left` is called once nothing holds it. */
  leave: (left: () => void) => void;
}
/** What is done with what saving brought; `change` goes on with the draft. */
type Saved<Answer, Draft> = (answer: Answer, change: (part: Partial<Draft>) => void) => void;
/** How the view of that form sees it. */
export type FormOf<F> = F extends Form<infer C, infer Draft, infer _Given> ? FormView<AnswerOf<(typeof calls)[C]>, Draft> : never;
const none: readonly Issue[] = [];
const partOf = (draft: object): FormDraft => ({ ...draft });
/** What is wrong with a field, by its name. */
export const issueOf = (issues: readonly Issue[], field: string): Issue | undefined => issues.find(({ path }) => path.at(-1) === field);

/** What is shown as wrong: the server's findings where the draft shows none of its own. */
function shownIssues(snapshot: FormSnapshot): readonly Issue[] {
  const { issues, serverIssues } = snapshot.context;
  const own = snapshot.hasTag('checked') ? issues : none;
  const isOwn = ({ path }: Issue): boolean => own.some((issue) => issue.path.join() === path.join());
  return serverIssues.length === 0 ? own : [...serverIssues.filter((issue) => !isOwn(issue)), ...own];
}
const sameIssues = (one: readonly Issue[], other: readonly Issue[]): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

/** Asks a form to let go, and hears its answer once. */
function leaveForm(actor: FormActor, left: () => void): void {
  const answers = [
    actor.on('form.left', () => {
      settle();
      left();
    }),
    actor.on('form.stayed', () => settle()),
  ];
  const settle = (): void => answers.forEach((answer) => answer.unsubscribe());
  actor.send({ type: 'form.leave' });
}

/** Opens a form for as long as this view stands. What it starts with may come or change later: what was typed stays. */
function useView<Answer, Draft extends object, Given>(
  form: { name: string; start: (given: Given) => Draft },
  given: Given,
  saved?: Saved<Answer, Draft>,
): FormView<Answer, Draft> {
  const heard =
    saved && ((answer: unknown, say: OwnForm['send']) => saved(answer as Answer, (part) => say({ type: 'form.change', part: partOf(part) })));
  const { actor, open, send } = useOwnForm(form.name, { form: form.name, given }, { saved: heard });
  const text = JSON.stringify(given);
  // oxlint-disable-next-line react/exhaustive-deps -- what is the same text is the same beginning
  const start = useMemo(() => form.start(given), [form, text]);
  const typed = useSelector(actor, (snapshot) => snapshot?.context.draft) as Draft | undefined;
  useEffect(() => {
    open();
    send({ type: 'form.rebase', given: JSON.parse(text) as Given });
  }, [open, send, text]);
  return {
    draft: typed ?? start,
    issues: useSelector(actor, (snapshot) => (snapshot ? shownIssues(snapshot) : none), sameIssues),
    wrong: useSelector(actor, (snapshot) => snapshot?.context.issues ?? none),
    changed: useSelector(actor, (snapshot) => (snapshot ? isChanged(snapshot) : false)),
    running: useSelector(actor, (snapshot) => snapshot?.hasTag('running') ?? false),
    done: useSelector(actor, (snapshot) => snapshot?.hasTag('done') ?? false),
    answer: useSelector(actor, (snapshot) => (snapshot?.context.answer ?? null) as Answer | null),
    problem: useSelector(actor, (snapshot) => snapshot?.context.problem ?? null),
    change: useCallback((part: Partial<Draft>) => send({ type: 'form.change', part: partOf(part) }), [send]),
    save: useCallback(() => send({ type: 'form.save' }), [send]),
    reset: useCallback(() => send({ type: 'form.reset' }), [send]),
    leave: useCallback((left: () => void) => (actor ? leaveForm(actor, left) : left()), [actor]),
  };
}

/** A form whose draft a call saves. */
export const useForm = <C extends CallName, Draft extends object, Given>(
  form: Form<C, Draft, Given>,
  given: Given,
  saved?: Saved<AnswerOf<(typeof calls)[C]>, Draft>,
): FormView<AnswerOf<(typeof calls)[C]>, Draft> => useView(form, given, saved);

/** A form without a call: what its draft comes to is handed to `approved`. */
export const useDraft = <Value, Draft extends object, Given>(
  form: DraftForm<Value, Draft, Given>,
  given: Given,
  approved: (value: Value) => void,
): FormView<Value, Draft> => useView(form, given, approved);
