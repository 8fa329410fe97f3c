import { useSelector } from '@xstate/react';
import { memo, type SyntheticEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { AppMark } from '#src/components/app-mark.tsx';
import { LanguageSwitch } from '#src/components/language-switch.tsx';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import type { SavedView } from '#models/saved-views.ts';
import { useAreas } from '../area/areas.tsx';
import { listPath } from '../area/list-path.ts';
import { useConversations, useSavedViews, useServices } from '../system.ts';
import { visibleMenu } from './menu.ts';
import { productName } from './page-title.ts';
import { type PinnedView, SideMenu } from './side-menu.tsx';

const none: readonly SavedView[] = [];

/** The views that stand in the menu, each below its list. */
function usePinnedViews(): readonly PinnedView[] {
  const entries = useAreas();
  const views = useSelector(useSavedViews(), (snapshot) => snapshot?.context.views ?? none);
  return useMemo(
    () =>
      views.flatMap(({ id, name, area, query, is_pinned: isPinned }) => {
        const entry = entries.find((one) => one.area === area);
        return isPinned && entry ? [{ id, name, path: listPath(entry), query }] : [];
      }),
    [views, entries],
  );
}

/** The words of the narrow menu's entry under the pointer or the focus, and how high it stands. */
function useTip() {
  const [shown, setShown] = useState<{ text: string; top: number } | null>(null);
  const hear = ({ target }: SyntheticEvent): void => {
    const entry = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null;
    const box = entry?.getBoundingClientRect();
    setShown(entry && box ? { text: entry.dataset['tip'] ?? '', top: box.top + box.height / 2 } : null);
  };
  const forget = (): void => setShown(null);
  return { shown, handlers: { onPointerOver: hear, onPointerLeave: forget, onFocus: hear, onBlur: forget } };
}

/** The drawer: product and project, the menu, and below it the way to make it narrow. On a phone it lies over the page. A new title or button of the page is nothing to it. */
export const Drawer = memo(function Drawer({ overlaid, onClose }: { overlaid: boolean; onClose: () => void }) {
  const { t } = useText();
  const profile = useProfile();
  const { sideMenu, paths, changeLanguage } = useServices();
  const { mini, folded } = useSyncExternalStore(sideMenu.follow, sideMenu.get);
  const narrow = mini && !overlaid;
  const tip = useTip();
  const views = usePinnedViews();
  const unread = useSelector(useConversations(), (snapshot) => snapshot?.context.list.unread ?? 0);
  const counts = useMemo(() => ({ conversations: unread }), [unread]);

  const fold = (category: string): void =>
    sideMenu.set({ mini, folded: folded.includes(category) ? folded.filter((name) => name !== category) : [...folded, category] });
  return (
    <nav aria-label={t('interface.shell.menu')} className={narrow ? 'drawer drawer-mini' : 'drawer'} {...(narrow && tip.handlers)}>
      <div className="drawer-head">
        <div className="drawer-names">
          <Link to="/home" className="drawer-brand" aria-label={productName()} onClick={onClose}>
            <AppMark />
            <span className="menu-words">{productName()}</span>
          </Link>
          <span className="drawer-project menu-words" title={profile.project.name}>
            {profile.project.name}
          </span>
        </div>
        {overlaid && (
          <button type="button" className="icon-button" aria-label={t('interface.shell.close_menu')} autoFocus onClick={onClose}>
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        )}
      </div>
      <SideMenu
        categories={visibleMenu(profile, paths)}
        mini={narrow}
        folded={folded}
        views={views}
        counts={counts}
        onFold={fold}
        {...(overlaid && { onFollow: onClose })}
      />
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
      {narrow && tip.shown && (
        <div className="menu-tip" aria-hidden="true" style={{ top: tip.shown.top }}>
          {tip.shown.text}
        </div>
      )}
    </nav>
  );
});
