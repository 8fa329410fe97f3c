import { useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { AppMark } from '#src/components/app-mark.tsx';
import { LanguageSwitch } from '#src/components/language-switch.tsx';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { useServices } from '../system.ts';
import { visibleMenu } from './menu.ts';
import { SideMenu } from './side-menu.tsx';

/** The drawer: product and project, the menu, and below it the way to make it narrow. On a phone it lies over the page. */
export function Drawer({ overlaid, onClose }: { overlaid: boolean; onClose: () => void }) {
  const { t } = useText();
  const profile = useProfile();
  const { sideMenu, paths, changeLanguage } = useServices();
  const { mini, folded } = useSyncExternalStore(sideMenu.follow, sideMenu.get);
  const narrow = mini && !overlaid;

  const fold = (category: string): void =>
    sideMenu.set({ mini, folded: folded.includes(category) ? folded.filter((name) => name !== category) : [...folded, category] });
  return (
    <div className={narrow ? 'drawer drawer-mini' : 'drawer'}>
      <div className="drawer-head">
        <Link to="/home" className="drawer-brand" aria-label={t('interface.product')} onClick={onClose}>
          <AppMark />
          <span className="menu-words">{t('interface.product')}</span>
        </Link>
        <span className="drawer-project menu-words" title={profile.project.name}>
          {profile.project.name}
        </span>
      </div>
      <SideMenu categories={visibleMenu(profile, paths)} mini={narrow} folded={folded} onFold={fold} {...(overlaid && { onFollow: onClose })} />
      {overlaid ? (
        <div className="drawer-switches">
          <LanguageSwitch onChange={(locale) => void changeLanguage(locale)} />
        </div>
      ) : (
        <button
          type="button"
          className="menu-entry drawer-narrow"
          aria-label={t(narrow ? 'interface.shell.widen_menu' : 'interface.shell.narrow_menu')}
          {...(narrow && { 'data-tip': t('interface.shell.widen_menu') })}
          onClick={() => sideMenu.set({ mini: !mini, folded })}
        >
          <i className={`pi ${narrow ? 'pi-angle-double-right' : 'pi-angle-double-left'}`} aria-hidden="true" />
          <span className="menu-words">{t('interface.shell.narrow_menu')}</span>
        </button>
      )}
    </div>
  );
}
