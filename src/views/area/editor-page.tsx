import { Button } from '#src/components/button.tsx';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { EditorActor } from '#machines/editor/editor.machine.ts';
import { previousPath } from '#machines/workspace/workspace.machine.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useWorkspace } from '#src/views/system.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { mayDeleteRow, mayDo } from './areas.tsx';
import { EditorActions } from './editor-actions.tsx';
import { EditorAside } from './editor-aside.tsx';
import { EditorForm, usePiece } from './editor-form.tsx';
import { EditorNotices } from './editor-notices.tsx';
import { isChangeable } from './is-changeable.ts';
import { listPath } from './list-path.ts';
import type { AnyResource, AreaEntry } from './resource.ts';
import { Presence } from './presence.tsx';
import { type EditorView, useEditor } from './use-editor.ts';
import { spokenName } from './row-name.ts';
import { editorPath } from './use-open.ts';
import './area.css';

interface EditorPageProps {
  entry: AreaEntry;
  resource: AnyResource;
  editor: EditorActor;
}

/** What the page is called: what is done, and to which row as it is stored. */
function useTitle(resource: AnyResource, { facts }: EditorView): void {
  const { t, has } = useText();
  const { mode, row } = facts;
  const { area } = resource;
  const words = `areas.${area}.${mode}`;
  const name = row ? spokenName({ t }, resource, row) : '';
  usePageTitle(t(has(words) ? words : `areas.${area}.one`), name || undefined);
}

function Buttons({ formId, resource, editor, view }: Omit<EditorPageProps, 'entry'> & { formId: string; view: EditorView }) {
  const { t } = useText();
  const piece = usePiece(resource, editor, view);
  const { facts, editing, saving, deleting, conflicted, held } = view;
  const { profile, row } = facts;
  const { readOnly } = resource.model;
  const mayDelete = row !== null && mayDeleteRow(profile, resource, row);
  const changeable = isChangeable(resource, { ...facts, mode: facts.mode === 'add' ? 'add' : 'edit' });
  const mayEdit = row !== null && !readOnly && changeable && mayDo(profile, resource, 'edit', row);
  return (
    <div className="editor-buttons">
      <EditorActions resource={resource} view={view} piece={piece} />
      {mayDelete && (
        <Button
          tone="danger-plain"
          label={t('list.editor.delete')}
          loading={deleting}
          disabled={held}
          onClick={() => editor.send({ type: 'editor.delete' })}
        />
      )}
      <Button
        tone="plain"
        label={t(editing && changeable ? 'list.cancel' : 'list.close')}
        disabled={deleting}
        onClick={() => editor.send({ type: 'editor.cancel' })}
      />
      {/* Two buttons, told apart by key: one that turned into the other while it is pressed would send the form. */}
      {editing && changeable ? (
        <Button key="save" type="submit" form={formId} label={t('list.editor.save')} loading={saving} disabled={conflicted || deleting} />
      ) : (
        !editing &&
        mayEdit && <Button key="edit" icon="pi-pencil" label={t('list.editor.edit')} onClick={() => editor.send({ type: 'editor.edit' })} />
      )}
    </div>
  );
}

/** Instead of the form: the row is gone or hidden, or could not be loaded. */
function NotThere({ entry, editor, view }: Omit<EditorPageProps, 'resource'> & { view: EditorView }) {
  const { t } = useText();
  const { problem } = view.context;
  const absent = problem?.code === 'not_found' || problem?.code === 'forbidden' || problem?.code === 'wrong_parameters';
  if (problem && !absent) return <Failure problem={problem} onRetry={() => editor.send({ type: 'editor.retry' })} />;
  return (
    <EmptyState icon={entry.icon} text={t('list.editor.not_found')}>
      <Link className="p-button p-component p-button-outlined" to={listPath(entry)}>
        <span className="p-button-label">{t('list.editor.to_list')}</span>
      </Link>
    </EmptyState>
  );
}

/** The address asks for more than the person may: to add, or to change this row. */
const isRefused = (resource: AnyResource, { stage, facts }: EditorView): boolean => {
  const { mode, row, profile } = facts;
  if (stage !== 'open' || mode === 'view') return false;
  return resource.model.readOnly || (mode === 'add' ? !mayDo(profile, resource, 'create') : row !== null && !mayDo(profile, resource, 'edit', row));
};

/** One row on a page of its own: a bar that stays, the form, and what is known of the row beside it. */
export function EditorPage({ entry, resource, editor }: EditorPageProps) {
  const { t } = useText();
  const formId = useId();
  const view = useEditor(editor);
  const workspace = useWorkspace();
  const piece = usePiece(resource, editor, view);
  useTitle(resource, view);
  const { stage, facts } = view;
  const Item = resource.slots.item;
  const refused = isRefused(resource, view);
  const back = previousPath(workspace.getSnapshot()) ?? listPath(entry);
  return (
    <div className="editor-page">
      <div className="editor-bar">
        <Link to={back} className="editor-back">
          <i className="pi pi-arrow-left" aria-hidden="true" /> {t(`areas.${entry.area}.title`)}
        </Link>
        <Presence view={view} />
        {view.unsaved && <span className="quiet editor-state">{t('list.editor.unsaved')}</span>}
        {stage === 'open' && !refused && <Buttons formId={formId} resource={resource} editor={editor} view={view} />}
      </div>
      {stage === 'failed' && (
        <div className="card">
          <NotThere entry={entry} editor={editor} view={view} />
        </div>
      )}
      {(stage === 'loading' || stage === 'done') && (
        <div className="card editor-bones">
          <SkeletonLines lines={9} label={t('list.loading')} />
        </div>
      )}
      {refused && (
        <div className="card">
          <EmptyState icon="pi-lock" text={t('list.editor.forbidden')}>
            <Link className="p-button p-component p-button-outlined" to={facts.row ? editorPath(entry, 'view', facts.row.id) : listPath(entry)}>
              <span className="p-button-label">{t(facts.row ? 'list.row.view' : 'list.editor.to_list')}</span>
            </Link>
          </EmptyState>
        </div>
      )}
      {stage === 'open' && !refused && (
        <div className="editor-columns">
          <div className="editor-main">
            <EditorNotices resource={resource} editor={editor} view={view} />
            <div className="card">
              {Item && facts.row ? <Item row={facts.row} /> : <EditorForm id={formId} resource={resource} editor={editor} view={view} />}
            </div>
          </div>
          <EditorAside resource={resource} view={view} piece={piece} />
        </div>
      )}
    </div>
  );
}
