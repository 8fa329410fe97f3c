import { useCallback, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { HomeCard } from './home-card.tsx';

const shown = 3;

/** The mails the demo would have sent; no card at all where the server keeps none to read. */
export function DemoMails() {
  const { t } = useText();
  const mails = useRequest('mails');
  const { run } = mails;
  const reload = useCallback(() => run({}), [run]);
  useEffect(reload, [reload]);
  if (!mails.answer || mails.answer.every(({ body }) => body === null)) return null;
  const rows = mails.answer.slice(0, shown);
  return (
    <HomeCard
      title={t('notifications.mails.title')}
      icon="pi-envelope"
      answer={{ loading: false, rows, problem: null, reload }}
      empty={t('notifications.mails.empty')}
      lines={Math.max(1, rows.length)}
      tall
      foot={<Link to="/mails">{t('notifications.mails.all')}</Link>}
    >
      {(mail) => (
        <div className="home-row">
          <div className="home-what">
            <span>{mail.subject}</span>
            <span className="quiet small">{mail.recipient}</span>
          </div>
          <span className="quiet small home-aside">
            <When at={mail.created_at} />
          </span>
        </div>
      )}
    </HomeCard>
  );
}
