import { Suspense, useCallback, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { FabBar } from '#src/components/fab-bar.tsx';
import { SkeletonPage } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import type { WorkspaceRef } from '../system.ts';
import { useMedia } from './media.ts';
import { Drawer } from './drawer.tsx';
import { FabsContext, useFabStore } from './fabs.ts';
import { useCloseWarning, useRouterGate } from './leave-guard.ts';
import { PhoneBeside, usePhoneCovers } from './phone-slot.tsx';
import { type PageTitle, PageTitleContext } from './page-title.ts';
import { usePageReports } from './page-reports.ts';
import { TopBar } from './top-bar.tsx';
import { Watch } from './watch.tsx';
import './shell.css';

/** The frame around every signed-in page: drawer, top bar, the page, and its floating buttons. `isOpen`: the workspace is there to draw pages from. */
export function Shell({ workspace, isOpen }: { workspace: WorkspaceRef; isOpen: boolean }) {
  const { t } = useText();
  const phone = useMedia('(max-width: 899px)');
  const covered = usePhoneCovers();
  const { pathname } = useLocation();
  const [title, setTitle] = useState<PageTitle>({ title: '' });
  // The phone's menu closes by itself when another page is shown.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === pathname;
  const { fabs, show } = useFabStore();
  const mayLeave = usePageReports(workspace);
  useRouterGate(mayLeave);
  useCloseWarning();

  const close = useCallback(() => setOpenAt(null), []);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, close]);

  return (
    <PageTitleContext value={setTitle}>
      <FabsContext value={show}>
        <div className={phone && open ? 'shell shell-open' : 'shell'}>
          <a className="unseen skip" href="#content">
            {t('interface.shell.skip')}
          </a>
          {(!phone || open) && <Drawer overlaid={phone} onClose={close} />}
          {phone && open && <div className="shell-veil" aria-hidden="true" onClick={close} />}
          <div className="shell-page" inert={(phone && open) || covered}>
            <TopBar title={title} menuOpen={open} onMenu={() => setOpenAt(open ? null : pathname)} />
            <main id="content" className="shell-content" tabIndex={-1}>
              {isOpen ? (
                <Suspense fallback={<SkeletonPage label={t('interface.loading')} />}>
                  <Outlet />
                </Suspense>
              ) : (
                <SkeletonPage label={t('interface.faults.page_restarting')} />
              )}
              <FabBar fabs={fabs} label={t('interface.shell.actions')} />
            </main>
          </div>
          <PhoneBeside />
          <Watch />
        </div>
      </FabsContext>
    </PageTitleContext>
  );
}
