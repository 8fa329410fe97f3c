import { Link, useSearchParams } from 'react-router-dom';
import { constants, notificationClasses } from '#models/constants.ts';
import { isNotificationFilter, type NotificationFilter } from '#models/notifications.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { NoticeRow } from './notice-row.tsx';
import { useNoticePage } from './use-page.ts';
import './notifications.css';

const size = constants.notificationsPageSize;
const groups = ['all', 'alarm', 'important'] as const;
const isGroup = (type: NotificationFilter): type is (typeof groups)[number] => (groups as readonly string[]).includes(type);
const pathOf = (type: NotificationFilter, page = 1): string => {
  const params = new URLSearchParams({ ...(type !== 'all' && { type }), ...(page > 1 && { page: String(page) }) });
  return params.size > 0 ? `/notifications?${params}` : '/notifications';
};

/** All, those of alarms, the important ones, or one type. */
function Filters({ type, onType }: { type: NotificationFilter; onType: (type: NotificationFilter) => void }) {
  const { t } = useText();
  return (
    <nav className="inbox-filters" aria-label={t('notifications.page.filters')}>
      {groups.map((group) => (
        <Link key={group} to={pathOf(group)} className="inbox-filter" aria-current={group === type ? 'page' : undefined}>
          {t(`notifications.page.${group}`)}
        </Link>
      ))}
      <select
        className="native-select"
        aria-label={t('notifications.settings.class')}
        value={isGroup(type) ? '' : type}
        onChange={({ target }) => onType(isNotificationFilter(target.value) ? target.value : 'all')}
      >
        <option value="">{t('notifications.page.by_type')}</option>
        {notificationClasses.map((name) => (
          <option key={name} value={name}>
            {t(`notifications.classes.${name}`)}
          </option>
        ))}
      </select>
    </nav>
  );
}

function Pager({ type, page, total }: { type: NotificationFilter; page: number; total: number }) {
  const { t } = useText();
  const from = (page - 1) * size + 1;
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <footer className="inbox-foot">
      <span className="quiet">{t('notifications.page.shown', { from, to: Math.min(page * size, total), total })}</span>
      <span className="grow" />
      {page > 1 && <Link to={pathOf(type, page - 1)}>{t('notifications.page.previous')}</Link>}
      {page < last && <Link to={pathOf(type, page + 1)}>{t('notifications.page.next')}</Link>}
    </footer>
  );
}

function List({ type, page }: { type: NotificationFilter; page: number }) {
  const { t } = useText();
  const { answer, problem, load, isRead, unread, read, readAll } = useNoticePage(type, page);
  if (problem && !answer) return <Failure problem={problem} onRetry={load} />;
  if (!answer) return <SkeletonLines lines={8} label={t('interface.loading')} />;
  const { items, total } = answer;
  if (items.length === 0 && total > 0)
    return (
      <EmptyState icon="pi-bell" text={t('notifications.page.past_end', { page })}>
        <Link to={pathOf(type)}>{t('notifications.page.first_page')}</Link>
      </EmptyState>
    );
  if (items.length === 0) return <EmptyState icon="pi-bell" text={`${t('notifications.page.empty')}. ${t('notifications.page.empty_hint')}`} />;
  return (
    <>
      <header className="inbox-head">
        <span className="quiet" role="status">
          {t('notifications.page.unread', { count: unread })}
        </span>
        <span className="grow" />
        <Button small tone="plain" icon="pi-check" label={t('notifications.page.read_all')} disabled={unread === 0} onClick={readAll} />
      </header>
      <ul className="inbox-list">
        {items.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} isRead={isRead(notice)} onRead={() => read(notice.id)} />
        ))}
      </ul>
      <Pager type={type} page={page} total={total} />
    </>
  );
}

/** All notifications by type, newest first, twenty a page; what comes in appears by itself. */
export function NotificationsPage() {
  const { t } = useText();
  const [params, setParams] = useSearchParams();
  usePageTitle(t('notifications.title'));
  const asked = params.get('type');
  const type = isNotificationFilter(asked) ? asked : 'all';
  const page = Math.max(1, Math.trunc(Number(params.get('page') ?? 1)) || 1);
  return (
    <div className="inbox">
      <div className="inbox-tools">
        <Filters type={type} onType={(next) => setParams(next === 'all' ? {} : { type: next })} />
        <Link to="/notifications/settings" className="p-button p-component p-button-outlined">
          <i className="pi pi-cog" aria-hidden="true" />
          <span className="p-button-label">{t('notifications.bell.settings')}</span>
        </Link>
      </div>
      <section className="card">
        <List key={`${type} ${page}`} type={type} page={page} />
      </section>
    </div>
  );
}
