import { useSelector } from '@xstate/react';
import { Link } from 'react-router-dom';
import { useText } from '#src/components/text.ts';
import { useSession } from '../system.ts';
import { SessionFrame } from './session-frame.tsx';

const parts = ['access', 'records', 'data', 'safety', 'ending'] as const;

/** Terms and conditions, open to anyone. */
export function Terms() {
  const { t } = useText();
  const signedIn = useSelector(useSession(), (snapshot) => snapshot.hasTag('open'));
  return (
    <SessionFrame title={t('entry.terms.title')} wide>
      <div className="terms">
        {parts.map((part) => (
          <section key={part}>
            <h2>{t(`entry.terms.${part}_title`)}</h2>
            <p>{t(`entry.terms.${part}`)}</p>
          </section>
        ))}
      </div>
      <p className="session-links">
        <Link to={signedIn ? '/home' : '/login'}>{t(signedIn ? 'entry.terms.to_home' : 'entry.terms.to_login')}</Link>
      </p>
    </SessionFrame>
  );
}
