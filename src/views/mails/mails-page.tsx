import { useCallback, useEffect } from 'react';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { NotFound } from '../session/not-found.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { MailBody } from './mail-body.tsx';
import './mails.css';

/** What the demo would have sent, newest first. */
export function MailsPage() {
  const { t } = useText();
  const mails = useRequest('mails');
  const { run } = mails;
  const load = useCallback(() => run({}), [run]);
  useEffect(load, [load]);
  usePageTitle(t('interface.mails.title'));
  if (mails.problem?.code === 'not_found') return <NotFound />;
  if (mails.problem)
    return (
      <div className="card">
        <Failure problem={mails.problem} onRetry={load} />
      </div>
    );
  if (!mails.answer) return <SkeletonLines lines={6} label={t('interface.loading')} />;
  return (
    <div className="mails">
      <p className="quiet">{t('interface.mails.lead')}</p>
      {mails.answer.length === 0 && (
        <div className="card">
          <EmptyState icon="pi-envelope" text={t('interface.mails.empty')} />
        </div>
      )}
      {mails.answer.map(({ id, subject, recipient, body, created_at }) => (
        <article key={id} className="card mail">
          <h2>{subject}</h2>
          <p className="quiet small">
            {t('interface.mails.to', { recipient })} · <When at={created_at} />
          </p>
          <p className="mail-body">
            <MailBody text={body} />
          </p>
        </article>
      ))}
    </div>
  );
}
