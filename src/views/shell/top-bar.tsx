import { useSelector } from '@xstate/react';
import { memo, useContext } from 'react';
import { LanguageSwitch } from '#src/components/language-switch.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import { Bell } from '../notifications/bell.tsx';
import { useIsApart, useServices, useSession } from '../system.ts';
import { PageProgress } from './page-progress.tsx';
import { PaletteSlot } from './palette-slot.tsx';
import { PhoneSlot } from './phone-slot.tsx';
import type { PageTitle } from './page-title.ts';
import { PersonMenu } from './person-menu.tsx';

/** How far what is shown can be trusted: seen at an earlier time, or without live updates. */
function Standing() {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const seenAt = useSelector(useSession(), ({ context }) => context.seenAt);
  const apart = useIsApart();
  if (seenAt !== null)
    return <span className="tag tag-warn">{t('interface.shell.recalled', { time: exactTime(Date.parse(seenAt), clockwork, 'HH:mm') })}</span>;
  return apart && <span className="tag tag-warn">{t('interface.shell.apart')}</span>;
}

/** What stands in the bar whatever the page is: a new title draws none of it again. */
const Tools = memo(function Tools() {
  const { changeLanguage } = useServices();
  return (
    <>
      <PaletteSlot />
      <LanguageSwitch onChange={(locale) => void changeLanguage(locale)} />
      <PhoneSlot />
      <Bell />
      <PersonMenu />
    </>
  );
});

/** The bar above every page: its title, whether the server answers, the language, the person. */
export function TopBar({ title: { title, of }, menuOpen, onMenu }: { title: PageTitle; menuOpen: boolean; onMenu: () => void }) {
  const { t } = useText();
  const session = useSession();
  const unreachable = useSelector(session, (snapshot) => snapshot.hasTag('unreachable'));
  return (
    <header className="top-bar">
      <button
        type="button"
        className="icon-button top-menu"
        aria-label={t(menuOpen ? 'interface.shell.close_menu' : 'interface.shell.open_menu')}
        aria-expanded={menuOpen}
        onClick={onMenu}
      >
        <i className="pi pi-bars" aria-hidden="true" />
      </button>
      <h1 className="top-title">
        {of ? (
          <>
            <span className="top-kind">{title} › </span>
            {of}
          </>
        ) : (
          title
        )}
      </h1>
      <span role="status" className="top-status">
        {unreachable && (
          <span className="tag tag-warn">
            {t('interface.shell.offline')}{' '}
            <button type="button" className="link-button" onClick={() => session.send({ type: 'session.retry' })}>
              {t('interface.retry')}
            </button>
          </span>
        )}
        {!unreachable && <Standing />}
      </span>
      <span className="grow" />
      <Tools />
      <PageProgress />
    </header>
  );
}
