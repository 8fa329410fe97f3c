import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { AppMark } from '#src/components/app-mark.tsx';
import { useText } from '#src/components/text.ts';
import { useApp, useSession } from '../system.ts';
import { loginPath, safeRedirect } from './safe-redirect.ts';

/** Where the session stands, as far as routes care. */
type Standing = 'restoring' | 'signedIn' | 'choosing' | 'signedOut';

/** Whether somebody is signed in, is choosing a project, or nobody is. */
function useStanding(): Standing {
  const opened = useSelector(useApp(), (snapshot) => snapshot.matches('signedIn'));
  return useSelector(useSession(), (snapshot) => {
    if (snapshot.matches('restoring')) return 'restoring';
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

/** Only for people who are not signed in: others go where they wanted, or home. */
export function SignedOutOnly() {
  const standing = useStanding();
  const [params] = useSearchParams();
  const redirect = params.get('redirect');
  if (standing === 'restoring') return <Restoring />;
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
  if (standing === 'restoring') return <Restoring />;
  if (standing === 'signedIn') return <Navigate to={safeRedirect(params.get('redirect'))} replace />;
  // Back to the login page when the choice was given up.
  if (chose && standing === 'signedOut') return <Navigate to={loginPath(params.get('redirect') ?? '')} replace />;
  return <Outlet />;
}

/** Only for people who are signed in: others go to the login page, which leads back here. */
export function SignedInOnly() {
  const standing = useStanding();
  const { pathname, search } = useLocation();
  if (standing === 'restoring') return <Restoring />;
  if (standing !== 'signedIn') return <Navigate to={loginPath(pathname + search)} replace />;
  return <Outlet />;
}
