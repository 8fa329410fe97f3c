import { Suspense } from 'react';
import type { EditorActor } from '#machines/editor/editor.machine.ts';
import { isArea } from '#models/areas.ts';
import type { Issue } from '#models/issues.ts';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { metaAt, valueAt } from '#src/components/fields/field-meta.ts';
import type { Chosen, FieldMeta, FieldProps } from '#src/components/fields/field-props.ts';
import { ReadValue } from '#src/components/fields/read-value.tsx';
import { LONG_TEXT } from '#src/components/fields/text-field.tsx';
import { widgetFor } from '#src/components/fields/widgets.ts';
import { groupText } from '#src/components/group-text.ts';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { sayIssue, type Text, useText } from '#src/components/text.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { useWorkspace } from '#src/views/system.ts';
import { maySee } from './areas.tsx';
import { isRequired } from './is-required.ts';
import { useRowNames } from './memory.tsx';
import type { AnyResource, Field } from './resource.ts';
import type { EditorView } from './use-editor.ts';

interface EditorFieldProps {
  formId: string;
  field: Field;
  resource: AnyResource;
  editor: EditorActor;
  view: EditorView;
  /** The section's own name; a label that only repeats it is not shown. */
  heading: string;
}

/** Whether a finding is about the field at this path or about a part of it. */
export const isAt =
  (path: string) =>
  ({ path: at }: Issue): boolean =>
    path.split('.').every((key, index) => String(at[index]) === key);

/** What is wrong with a field, or with which part of it and what. */
function issueOf(words: Text, { context }: EditorView, area: string, path: string): string | undefined {
  const issue = context.issues.find(isAt(path));
  if (!issue) return undefined;
  const part = `areas.${area}.fields.${issue.path.filter((step) => typeof step === 'string').join('.')}`;
  const text = sayIssue(words, issue);
  return issue.path.length > path.split('.').length && words.has(part) ? `${words.t(part)}: ${text}` : text;
}

/** The value to draw: a row that the address named by its id alone gets its name, a group the way down to it. */
function useShownValue({ draft }: EditorView['context'], path: string, { kind, ref }: FieldMeta): unknown {
  const { nameOf } = useRowNames();
  const value = valueAt(draft, path);
  const named = (row: Chosen): Chosen => (ref === 'groups' ? { ...row, name: groupText(row) } : row);
  if (kind === 'refs' && Array.isArray(value)) return value.map(named);
  if (kind !== 'ref' || !ref) return value;
  if (!value) return null;
  return named(typeof value === 'string' ? { id: value, name: nameOf(ref, value) ?? '…' } : (value as Chosen));
}

const step = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part);

/** Opens the sheet of another area for a field of this editor. */
function usePick(editor: EditorActor, only: Field['only']): FieldProps['pick'] {
  const workspace = useWorkspace();
  return ({ area, multiple, path, chosen }) => {
    if (isArea(area))
      workspace.send({
        type: 'picker.open',
        area,
        multiple,
        chosen,
        path: path.split('.').map(step),
        reply: editor.id,
        ...(only && { filters: only }),
      });
  };
}

/** One input of the form with its label, hint and what is wrong with it; as text where it is only read. */
export function EditorField({ formId, field, resource, editor, view, heading }: EditorFieldProps) {
  const words = useText();
  const { t, has } = words;
  const profile = useProfile();
  const pick = usePick(editor, field.only);
  const { key: path } = field;
  const { area, model } = resource;
  const meta = metaAt(model, path);
  const value = useShownValue(view.context, path, meta);
  const { view: Standard, wide, bare, reads } = widgetFor(meta.kind);
  const Widget = field.widget ?? Standard;
  const hidden = meta.ref !== undefined && !maySee(profile, meta.ref);
  const readOnly = !view.editing || hidden || field.locked?.(view.facts) === true;
  const id = `${formId}-${path.replaceAll('.', '-')}`;
  const label = t(`areas.${area}.fields.${path}`);
  const hintKey = `areas.${area}.hints.${path}`;
  const hint = !readOnly && has(hintKey) ? t(hintKey) : undefined;
  const issue = issueOf(words, view, area, path);
  const change = (next: unknown): void => {
    const others = field.changes?.(next, view.facts.draft) ?? {};
    for (const [at, put] of [[path, next] as const, ...Object.entries(others)])
      editor.send({ type: 'draft.change', path: at.split('.'), value: put });
  };
  const required = isRequired(resource, path, view.facts);
  const asText = readOnly && !(field.reads ?? reads);
  return (
    <FieldFrame
      id={id}
      path={path}
      label={label}
      hint={hint}
      issue={issue}
      required={!readOnly && required}
      wide={field.wide ?? wide ?? (meta.kind === 'text' && (meta.max ?? 0) >= LONG_TEXT)}
      bare={bare === true}
      readOnly={asText}
      labelled={label === heading}
    >
      {asText ? (
        <p className="field-value">
          <ReadValue area={area} path={path} value={value} meta={meta} />
        </p>
      ) : (
        <Suspense fallback={<SkeletonLines label={t('list.loading')} />}>
          <Widget
            id={id}
            path={path}
            area={area}
            label={label}
            value={value}
            onChange={change}
            meta={meta}
            readOnly={readOnly}
            invalid={issue !== undefined}
            describedBy={describedBy(id, hint, issue)}
            required={required}
            pick={pick}
            draft={view.facts.draft}
          />
        </Suspense>
      )}
    </FieldFrame>
  );
}
