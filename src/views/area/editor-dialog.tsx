import { Button } from '#src/components/button.tsx';
import { useEffect, useId } from 'react';
import type { EditorActor } from '#machines/editor/editor.machine.ts';
import { Modal } from '#src/components/modal.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { mayDeleteRow, mayDo, useResource } from './areas.tsx';
import { EditorActions } from './editor-actions.tsx';
import { EditorForm, usePiece } from './editor-form.tsx';
import { EditorNotices } from './editor-notices.tsx';
import { Presence } from './presence.tsx';
import type { AreaEntry } from './resource.ts';
import { useEditor } from './use-editor.ts';
import './area.css';

/** One row in a dialog over the page it was opened from: actions, cancel, approve. */
export function EditorDialog({ entry, editor }: { entry: AreaEntry; editor: EditorActor }) {
  const { t } = useText();
  const formId = useId();
  const resource = useResource(entry);
  const view = useEditor(editor);
  const piece = usePiece(resource, editor, view);
  const { stage, editing, saving, deleting, conflicted, facts } = view;
  const { readOnly } = resource.model;
  const cancel = () => editor.send({ type: 'editor.cancel' });
  const typing = stage === 'open' && editing;
  useEffect(() => {
    // The form comes after the dialog: until then only the buttons were there to take the focus.
    if (typing)
      document.getElementById(formId)?.querySelector<HTMLElement>('input:not(:disabled), select:not(:disabled), textarea:not(:disabled)')?.focus();
  }, [typing, formId]);
  const row = stage === 'open' ? facts.row : null;
  const mayDelete = row !== null && mayDeleteRow(facts.profile, resource, row);
  const mayEdit = row !== null && !readOnly && mayDo(facts.profile, resource, 'edit', row);
  const footer = (
    <>
      <span className="foot-apart">
        <EditorActions
          atStart
          resource={resource}
          view={view}
          piece={piece}
          onDelete={mayDelete ? () => editor.send({ type: 'editor.delete' }) : undefined}
        />
      </span>
      <Button tone="plain" label={t(editing ? 'list.cancel' : 'list.close')} disabled={deleting} onClick={cancel} />
      {/* Two buttons, told apart by key: one that turned into the other while it is pressed would send the form. */}
      {editing ? (
        <Button
          key="save"
          type="submit"
          form={formId}
          label={t('list.editor.approve')}
          loading={saving}
          disabled={stage !== 'open' || conflicted || deleting}
        />
      ) : (
        mayEdit && <Button key="edit" label={t('list.editor.edit')} onClick={() => editor.send({ type: 'editor.edit' })} />
      )}
    </>
  );
  return (
    <Modal title={t(`areas.${entry.area}.${facts.mode}`)} width={resource.dialogWidth} onDismiss={cancel} footer={footer}>
      {stage === 'failed' && view.context.problem && <Failure problem={view.context.problem} onRetry={() => editor.send({ type: 'editor.retry' })} />}
      {(stage === 'loading' || stage === 'done') && <SkeletonLines lines={4} label={t('list.loading')} />}
      {stage === 'open' && (
        <>
          <Presence view={view} />
          <EditorNotices resource={resource} editor={editor} view={view} />
          <EditorForm id={formId} resource={resource} editor={editor} view={view} />
        </>
      )}
    </Modal>
  );
}
