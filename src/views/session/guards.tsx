import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { Link, Navigate, Outlet, useLocation, useMatches, useSearchParams } from 'react-router-dom';
import { AppMark } from '#src/components/app-mark.tsx';
import { useText } from '#src/components/text.ts';
import { useApp, useSession } from '../system.ts';
import { loginPath, safeRedirect } from './safe-redirect.ts';
import { SessionFrame } from './session-frame.tsx';

/** Where the session stands, as far as routes care. */
type Standing = 'restoring' | 'switching' | 'enrolling' | 'signedIn' | 'choosing' | 'signedOut';

/** Whether somebody is signed in, is choosing a project, or nobody is. */
function useStanding(): Standing {
  const opened = useSelector(useApp(), (snapshot) => snapshot.matches('signedIn'));
  return useSelector(useSession(), (snapshot) => {
    if (snapshot.matches('restoring')) return snapshot.context.notice === 'switched' ? 'switching' : 'restoring';
    if (snapshot.hasTag('enrolling')) return 'enrolling';
    if (snapshot.matches('choosingProject')) return 'choosing';
    return snapshot.hasTag('open') && opened ? 'signedIn' : 'signedOut';
  });
}

/** The remembered session is being opened; said only when it takes long. */
function Restoring() {
  const { t } = useText();
  const session = useSession();
  const unreachable = useSelector(session, (snapshot) => snapshot.hasTag('unreachable'));
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 600);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="session-wait" role="status">
      <AppMark size={40} />
      <p className="quiet">{unreachable ? t('interface.shell.unreachable') : slow ? t('interface.shell.restoring') : ''}</p>
      {unreachable && (
        <p className="session-wait-ways">
          <button type="button" className="link-button" onClick={() => session.send({ type: 'session.retry' })}>
            {t('interface.retry')}
          </button>
          <button type="button" className="link-button" onClick={() => session.send({ type: 'session.signOut' })}>
            {t('interface.shell.start_over')}
          </button>
        </p>
      )}
    </div>
  );
}

/** Before anything else a second factor is to be set up; then on to where one wanted to go. */
const ToEnrolment = ({ wanted }: { wanted: string | null }) => (
  <Navigate to={wanted === null ? '/second-factor' : `/second-factor?redirect=${encodeURIComponent(wanted)}`} replace />
);

/** Only for people who are not signed in: others go where they wanted, or home. */
export function SignedOutOnly() {
  const standing = useStanding();
  const [params] = useSearchParams();
  const redirect = params.get('redirect');
  if (standing === 'restoring' || standing === 'switching') return <Restoring />;
  if (standing === 'enrolling') return <ToEnrolment wanted={redirect} />;
  if (standing === 'choosing')
    return <Navigate to={redirect ? `/choose-project?redirect=${encodeURIComponent(redirect)}` : '/choose-project'} replace />;
  return standing === 'signedIn' ? <Navigate to={safeRedirect(redirect)} replace /> : <Outlet />;
}

/** Choosing a project: once one is chosen, on to where one wanted to go; open to anyone meanwhile. */
export function AfterChoice() {
  const standing = useStanding();
  const [params] = useSearchParams();
  const [chose, setChose] = useState(false);
  if (standing === 'choosing' && !chose) setChose(true);
  if (standing === 'restoring' || standing === 'switching') return <Restoring />;
  if (standing === 'enrolling') return <ToEnrolment wanted={params.get('redirect')} />;
  if (standing === 'signedIn') return <Navigate to={safeRedirect(params.get('redirect'))} replace />;
  // Back to the login page when the choice was given up.
  if (chose && standing === 'signedOut') return <Navigate to={loginPath(params.get('redirect') ?? '')} replace />;
  return <Outlet />;
}

/** What a route carries that stands for addresses without a screen. */
export const unknownAddress = 'unknown address';

/** A path that no screen has, said to people who are not signed in: signing in would lead to nothing. */
function NoSuchPage() {
  const { t } = useText();
  return (
    <SessionFrame title={t('interface.not_found.title')} lead={t('interface.not_found.lead')}>
      <p className="session-links">
        <Link to="/home">{t('interface.not_found.home')}</Link>
      </p>
    </SessionFrame>
  );
}

/** Only for people who are signed in: others go to the login page, which leads back here, or are told that there is no such page. */
export function SignedInOnly() {
  const standing = useStanding();
  const { pathname, search } = useLocation();
  const isUnknown = useMatches().at(-1)?.handle === unknownAddress;
  // What was open belongs to the project that was left.
  if (standing === 'switching')
    return (
      <>
        <Navigate to="/home" replace />
        <Restoring />
      </>
    );
  if (standing === 'restoring') return <Restoring />;
  if (standing === 'signedIn') return <Outlet />;
  if (standing === 'enrolling') return <ToEnrolment wanted={pathname + search} />;
  return isUnknown ? <NoSuchPage /> : <Navigate to={loginPath(pathname + search)} replace />;
}
