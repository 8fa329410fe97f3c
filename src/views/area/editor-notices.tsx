import { Button } from '#src/components/button.tsx';
import type { ReactNode } from 'react';
import type { EditorActor } from '#machines/editor.machine.ts';
import { ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import type { AnyResource } from './resource.ts';
import type { EditorView } from './use-editor.ts';

interface EditorNoticesProps {
  resource: AnyResource;
  editor: EditorActor;
  view: EditorView;
}

function Notice({ tone, icon, children }: { tone: 'info' | 'warn' | 'bad'; icon: `pi-${string}`; children: ReactNode }) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'info' ? 'status' : 'alert'}>
      <i className={`pi ${icon}`} aria-hidden="true" />
      {children}
    </div>
  );
}

/** What a person must know before going on: a draft brought back, a refusal, a lost answer, somebody else's save. */
export function EditorNotices({ resource, editor, view }: EditorNoticesProps) {
  const { t } = useText();
  const { context, unsure, conflicted, refused, editing } = view;
  const { problem, restored, issues } = context;
  const gone = refused && problem?.code === 'not_found';
  return (
    <>
      {restored && editing && !conflicted && (
        <Notice tone="info" icon="pi-history">
          <span>{t('list.editor.restored')}</span>
          <Button tone="quiet" small label={t('list.editor.discard')} onClick={() => editor.send({ type: 'draft.discard' })} />
        </Notice>
      )}
      {unsure && (
        <Notice tone="warn" icon="pi-question-circle">
          <span>{t('list.editor.unknown')}</span>
          <Button tone="quiet" small label={t('list.editor.retry')} onClick={() => editor.send({ type: 'editor.approve' })} />
        </Notice>
      )}
      {refused && (
        <Notice tone="bad" icon="pi-exclamation-circle">
          <div>
            {gone ? t('list.editor.not_found_kept') : problem ? <ProblemText problem={problem} /> : t('list.editor.issues', { count: issues.length })}
            <HiddenIssues resource={resource} view={view} />
          </div>
        </Notice>
      )}
      {conflicted && <ConflictPanel resource={resource} editor={editor} view={view} />}
    </>
  );
}

/** What is wrong with fields that this form does not show, so that nothing is refused without a word. */
function HiddenIssues({ resource, view }: Pick<EditorNoticesProps, 'resource' | 'view'>) {
  const words = useText();
  const shown = resource.form.flatMap(({ fields }) => fields.map(({ key }) => key));
  const hidden = view.context.issues.filter(({ path }) => !shown.some((key) => path.join('.').startsWith(key)));
  if (hidden.length === 0) return null;
  return (
    <ul className="notice-list">
      {hidden.map((issue) => (
        <li key={issue.path.join('.')}>
          {words.t(`areas.${resource.area}.fields.${issue.path.filter((part) => typeof part === 'string').join('.')}`)}: {sayIssue(words, issue)}
        </li>
      ))}
    </ul>
  );
}
