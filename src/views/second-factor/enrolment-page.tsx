import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import { mayHavePasskeys } from '../passkeys/may-have-passkeys.ts';
import { PasskeyForm } from '../passkeys/passkey-form.tsx';
import { safeRedirect } from '../session/safe-redirect.ts';
import { SessionFrame } from '../session/session-frame.tsx';
import { useSession } from '../system.ts';
import { SecondFactorSetup } from './setup.tsx';

/** Where people come whose role requires a second factor, and stay until it is set up. */
export function EnrolmentPage() {
  const { t } = useText();
  const session = useSession();
  const [params] = useSearchParams();
  const [byPasskey, setByPasskey] = useState(false);
  const enrolled = (): void => session.send({ type: 'session.enrolled' });
  const isEnrolling = useSelector(session, (snapshot) => snapshot.hasTag('enrolling'));
  if (!isEnrolling) return <Navigate to={safeRedirect(params.get('redirect'))} replace />;
  return (
    <SessionFrame title={t('entry.second.title')} lead={t('entry.second.required_lead')}>
      {byPasskey ? <PasskeyForm onDone={enrolled} /> : <SecondFactorSetup onDone={enrolled} />}
      <p className="session-links">
        {mayHavePasskeys() && (
          <button type="button" className="link-button" onClick={() => setByPasskey(!byPasskey)}>
            {byPasskey ? t('entry.passkeys.app_instead') : t('entry.passkeys.passkey_instead')}
          </button>
        )}
        <button type="button" className="link-button" onClick={() => session.send({ type: 'session.signOut' })}>
          {t('interface.projects.other_account')}
        </button>
      </p>
    </SessionFrame>
  );
}
