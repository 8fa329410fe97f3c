import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { Popup } from '#src/components/popup.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useInbox } from './use-inbox.ts';
import './notifications.css';

const BellMenu = lazyPart(() => import('./bell-menu.tsx'));
const mostShown = 99;

/** The bell in the top bar: how many notifications are unread, and a menu with the newest. */
export function Bell() {
  const { t } = useText();
  const inbox = useInbox();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const unread = inbox?.unread ?? 0;
  const close = (): void => setAnchor(null);
  return (
    <>
      <button
        type="button"
        className="icon-button bell"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={unread > 0 ? t('notifications.bell.unread', { count: unread }) : t('notifications.bell.none')}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <i className="pi pi-bell" aria-hidden="true" />
        {unread > 0 && (
          <span className="bell-badge" aria-hidden="true">
            {unread > mostShown ? `${mostShown}+` : unread}
          </span>
        )}
      </button>
      {anchor && (
        <Popup anchor={anchor} end label={t('notifications.bell.label')} onClose={close}>
          <Suspense fallback={<SkeletonLines lines={3} label={t('interface.loading')} />}>
            <BellMenu inbox={inbox} onClose={close} />
          </Suspense>
        </Popup>
      )}
    </>
  );
}
