import { Button } from '#src/components/button.tsx';
import type { ReactNode } from 'react';
import { issuesOf, type VersionFacts } from '#machines/editor/draft.ts';
import type { EditorActor } from '#machines/editor/editor.machine.ts';
import { consistencyItems } from '#models/consistency.ts';
import { ConsistencyPanel } from '#src/components/consistency.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { When } from '#src/components/when.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { isAt } from './editor-field.tsx';
import { LastChange } from './last-change.tsx';
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
  const { problem, restored, issues, news, former } = context;
  const listed = problem && consistencyItems(problem.data);
  const gone = refused && problem?.code === 'not_found';
  const corrected = issues.length === 0 && (!problem || issuesOf(problem).length > 0);
  return (
    <>
      {restored && editing && !conflicted && (
        <Notice tone="info" icon="pi-history">
          <span>{t('list.editor.restored')}</span>
          <Button tone="quiet" small label={t('list.editor.discard')} onClick={() => editor.send({ type: 'draft.discard' })} />
        </Notice>
      )}
      {former && editing && !conflicted && <FormerNotice resource={resource} former={former} changed={view.unsaved} />}
      {news && !conflicted && (
        <Notice tone="info" icon="pi-refresh">
          <span>
            {news !== 'gone' && (
              <>
                <LastChange area={resource.area} id={news.id} version={news['version']} />{' '}
              </>
            )}
            {t(news === 'gone' ? 'list.editor.news_gone' : view.unsaved ? 'list.editor.news_unsaved' : 'list.editor.news')}
          </span>
          {news !== 'gone' && !view.held && (
            <Button tone="quiet" small label={t('list.editor.news_take')} onClick={() => editor.send({ type: 'news.take' })} />
          )}
        </Notice>
      )}
      {unsure && (
        <Notice tone="warn" icon="pi-question-circle">
          <span>{t('list.editor.unknown')}</span>
          <Button tone="quiet" small label={t('list.editor.retry')} onClick={() => editor.send({ type: 'editor.approve' })} />
        </Notice>
      )}
      {refused && corrected && (
        <Notice tone="info" icon="pi-check">
          <span>{t('list.editor.corrected')}</span>
        </Notice>
      )}
      {refused && !corrected && (
        <Notice tone="bad" icon="pi-exclamation-circle">
          <div>
            {gone ? t('list.editor.not_found_kept') : problem ? <ProblemText problem={problem} /> : t('list.editor.issues', { count: issues.length })}
            {listed && <ConsistencyPanel items={listed} isNews />}
            <HiddenIssues resource={resource} view={view} />
          </div>
        </Notice>
      )}
      {conflicted && <ConflictPanel resource={resource} editor={editor} view={view} />}
    </>
  );
}

/** The form holds an earlier version: of when, and what of it can no longer hold. */
function FormerNotice({ resource, former, changed }: Pick<EditorNoticesProps, 'resource'> & { former: VersionFacts; changed: boolean }) {
  const { t } = useText();
  return (
    <Notice tone={former.lost.length > 0 ? 'warn' : 'info'} icon="pi-history">
      <div>
        <p>
          <When at={former.at} exact />
          {former.by !== null && `, ${former.by}`}. {t(changed ? 'list.editor.former' : 'list.editor.former_same')}
        </p>
        {former.lost.length > 0 && (
          <>
            <p>{t('list.editor.former_lost')}</p>
            <ul className="notice-list">
              {former.lost.map(({ field, name }) => (
                <li key={`${field} ${name}`}>
                  {t(`areas.${resource.area}.fields.${field}`)}
                  {name !== null && `: ${name}`}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Notice>
  );
}

/** What is wrong with fields that this form does not show, so that nothing is refused without a word. */
function HiddenIssues({ resource, view }: Pick<EditorNoticesProps, 'resource' | 'view'>) {
  const words = useText();
  const shown = resource.form.filter(({ show }) => !show || show(view.facts)).flatMap(({ fields }) => fields.map(({ key }) => isAt(key)));
  const hidden = view.context.issues.filter((issue) => !shown.some((isHere) => isHere(issue)));
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
