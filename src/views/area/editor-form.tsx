import { useEffect, useId, useRef } from 'react';
import type { EditorActor } from '#machines/editor/editor.machine.ts';
import { RequiredMark } from '#src/components/fields/field-frame.tsx';
import { leavesOf, metaAt, valueAt } from '#src/components/fields/field-meta.ts';
import { useText } from '#src/components/text.ts';
import { useWorkspace } from '#src/views/system.ts';
import { focusFirstWrong } from '../use-submit.ts';
import { seesOthers, useAreas } from './areas.tsx';
import { EditorField, isAt } from './editor-field.tsx';
import { isRequired } from './is-required.ts';
import type { AnyResource, Field, PieceProps, Section } from './resource.ts';
import type { EditorView } from './use-editor.ts';

interface EditorFormProps {
  id: string;
  resource: AnyResource;
  editor: EditorActor;
  view: EditorView;
}

/** A block in the form stands for all its fields; fields that name rows of areas without screens are left out. */
function useFields(resource: AnyResource, fields: readonly Field[]): Field[] {
  const areas = useAreas();
  return fields
    .flatMap((field) => leavesOf(resource.model, field.key).map((key) => (key === field.key ? field : leafOf(field, key))))
    .filter(({ key }) => {
      const { ref } = metaAt(resource.model, key);
      return ref === undefined || areas.some(({ area }) => area === ref);
    });
}

/** One field of a block; a block that can be switched on shows the rest only while it is. */
function leafOf(block: Field, key: string): Field {
  const isSwitch = key === `${block.key}.is_enabled`;
  const off = (draft: unknown): boolean => valueAt(draft, `${block.key}.is_enabled`) === false;
  return { ...block, key, ...(isSwitch && { wide: true }), show: (facts) => (block.show?.(facts) ?? true) && (isSwitch || !off(facts.draft)) };
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);
/** A field of rows the person may not see holds nothing here; saying "not set" of it would be a guess. */
const isUnseen = ({ model }: AnyResource, key: string, { facts }: EditorView): boolean => {
  const { ref } = metaAt(model, key);
  return ref !== undefined && !seesOthers(facts.profile, ref) && isEmpty(valueAt(facts.draft, key));
};
/** A field the form asks for now; one with something wrong in it always, else nobody could put it right. */
const isShown = (resource: AnyResource, { key, show }: Field, view: EditorView): boolean =>
  view.context.issues.some(isAt(key)) || ((!show || show(view.facts)) && !isUnseen(resource, key, view));

function SectionView({
  formId,
  resource,
  editor,
  view,
  section,
  piece,
}: Omit<EditorFormProps, 'id'> & { formId: string; section: Section; piece: PieceProps }) {
  const { t } = useText();
  const headingId = useId();
  const fields = useFields(resource, section.fields).filter((field) => isShown(resource, field, view));
  const { lead: Lead, piece: Piece } = section;
  if (fields.length === 0 && !Lead && !Piece) return null;
  const heading = t(`areas.${resource.area}.sections.${section.section}`);
  const labelOf = (key: string): string => t(`areas.${resource.area}.fields.${key}`);
  return (
    <section className="form-section" aria-labelledby={headingId}>
      <h2 id={headingId} className="form-heading">
        {heading}
        {view.editing && fields.some(({ key }) => labelOf(key) === heading && isRequired(resource, key, view.facts)) && <RequiredMark />}
      </h2>
      {Lead && <Lead {...piece} />}
      {fields.length > 0 && (
        <div className="fields">
          {fields.map((field) => (
            <EditorField key={field.key} formId={formId} field={field} resource={resource} editor={editor} view={view} heading={heading} />
          ))}
        </div>
      )}
      {Piece && <Piece {...piece} />}
    </section>
  );
}

/** What the area's own pieces in the form are given. */
export function usePiece(resource: AnyResource, editor: EditorActor, { facts }: EditorView): PieceProps {
  const workspace = useWorkspace();
  return {
    row: facts.row,
    draft: facts.draft,
    mode: facts.mode,
    change: (path, value) => editor.send({ type: 'draft.change', path: path.split('.'), value }),
    reload: () => {
      workspace.send({ type: 'rows.changed', area: resource.area });
      editor.send({ type: 'editor.retry' });
    },
  };
}

/** The form of one row: its sections in one card. A refused save brings the first wrong field into view. */
export function EditorForm({ id, resource, editor, view }: EditorFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const piece = usePiece(resource, editor, view);
  const { refused, held, facts, editing } = view;
  useEffect(() => {
    if (!refused) return;
    focusFirstWrong(form.current);
  }, [refused]);
  return (
    <form
      id={id}
      ref={form}
      noValidate
      className="area-form"
      data-mode={facts.mode}
      onSubmit={(event) => {
        event.preventDefault();
        if (editing) editor.send({ type: 'editor.approve' });
      }}
    >
      <fieldset className="form-body" disabled={held}>
        {resource.form
          .filter(({ show }) => !show || show(facts))
          .map((section) => (
            <SectionView key={section.section} formId={id} resource={resource} editor={editor} view={view} section={section} piece={piece} />
          ))}
      </fieldset>
    </form>
  );
}
