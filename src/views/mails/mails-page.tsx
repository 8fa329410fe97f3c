import { useCallback, useEffect } from 'react';
import type { Mail } from '#models/mail.ts';
import { Button } from '#src/components/button.tsx';
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

const tones: Record<Mail['state'], string> = { kept: '', waiting: 'tag-warn', sent: 'tag-good', failed: 'tag-bad' };

/** What became of a mail: its state, when, after how many tries, and what the mail server said. */
function Outcome({ mail: { state, sent_at, tried_at, next_at, attempts, reason, words } }: { mail: Mail }) {
  const { t } = useText();
  return (
    <div className="mail-outcome">
      <span className={`tag ${tones[state]}`}>{t(`notifications.mails.states.${state}`)}</span>
      {sent_at && <When at={sent_at} />}
      {state !== 'sent' && attempts > 0 && (
        <span className="quiet small">
          {t('notifications.mails.attempts', { count: attempts })}
          {tried_at && (
            <>
              {' · '}
              {t('notifications.mails.last')} <When at={tried_at} />
            </>
          )}
          {next_at && (
            <>
              {' · '}
              {t('notifications.mails.next')} <When at={next_at} />
            </>
          )}
        </span>
      )}
      {reason && <p className="mail-words">{t(`notifications.mails.reasons.${reason}`)}</p>}
      {words && (
        <p className="mail-words quiet small">
          {t('notifications.mails.words')} <q>{words}</q>
        </p>
      )}
    </div>
  );
}

function MailCard({ mail, reload }: { mail: Mail; reload: () => void }) {
  const { t } = useText();
  const retry = useRequest('retryMail', { done: reload });
  const { id, subject, recipient, body, created_at, state, attempts } = mail;
  const isStuck = state === 'failed' || (state === 'waiting' && attempts > 0);
  return (
    <article className="card mail">
      <h2>{subject}</h2>
      <p className="quiet small">
        {t('notifications.mails.to', { recipient })} · <When at={created_at} />
      </p>
      <Outcome mail={mail} />
      {body !== null && (
        <p className="mail-body">
          <MailBody text={body} />
        </p>
      )}
      {isStuck && (
        <Button
          tone="plain"
          small
          className="self-start"
          icon="pi-refresh"
          label={t('notifications.mails.retry')}
          loading={retry.running}
          onClick={() => retry.run({ params: { id } })}
        />
      )}
    </article>
  );
}

/** What was written to people, newest first, and what became of it. */
export function MailsPage() {
  const { t } = useText();
  const mails = useRequest('mails');
  const { run } = mails;
  const load = useCallback(() => run({}), [run]);
  useEffect(load, [load]);
  usePageTitle(t('notifications.mails.title'));
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
      {mails.answer.some(({ state }) => state === 'kept') && <p className="quiet">{t('notifications.mails.lead')}</p>}
      {mails.answer.length === 0 && (
        <div className="card">
          <EmptyState icon="pi-envelope" text={t('notifications.mails.empty')} />
        </div>
      )}
      {mails.answer.map((mail) => (
        <MailCard key={mail.id} mail={mail} reload={load} />
      ))}
    </div>
  );
}
