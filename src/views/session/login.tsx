import { useSelector } from '@xstate/react';
import { type FormEvent, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { Link, useLocation } from 'react-router-dom';
import { Button } from '#src/components/button.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { demoPassword } from '#models/demo-accounts.ts';
import { useAlerts, useServices, useSession } from '../system.ts';
import { SessionFrame } from './session-frame.tsx';

const SecondStep = lazyPart(() => import('./second-step.tsx'));
const PasskeySignIn = lazyPart(() => import('../passkeys/passkey-sign-in.tsx'));
const RegistrationLinks = lazyPart(() => import('./registration-links.tsx'));
const DemoAccounts = lazyPart(() => import('./demo-accounts.tsx'));

/** Browsers have passkeys only where pages are safe, and only for names: never for an address of digits. */
const mayHavePasskeys = 'credentials' in navigator && /[a-z]$/.test(location.hostname);

type Missing = 'login' | 'password';

/** Why one is here: the session ended, or the last try was refused. */
function LoginNotes({ registered }: { registered: boolean }) {
  const { t } = useText();
  const { problem, notice } = useSelector(useSession(), ({ context }) => context);
  if (problem)
    return (
      <div className="session-note session-note-bad" role="alert">
        <i className="pi pi-times-circle" aria-hidden="true" />
        <div>
          <ProblemText problem={problem} />
        </div>
      </div>
    );
  if (registered)
    return (
      <div className="session-note" role="status">
        <i className="pi pi-check-circle" aria-hidden="true" />
        <div>{t('interface.login.notice_registered')}</div>
      </div>
    );
  if (!notice || notice === 'signedOut') return null;
  return (
    <div className="session-note" role="status">
      <i className="pi pi-info-circle" aria-hidden="true" />
      <div>{t(`interface.login.notice_${notice}`)}</div>
    </div>
  );
}

function FieldError({ id, text }: { id: string; text: string | null }) {
  return (
    <p id={id} className="session-error" hidden={text === null}>
      {text}
    </p>
  );
}

/** The login with which somebody comes from their registration. */
function useRegisteredLogin(): string | null {
  const state = useLocation().state as { registered?: string } | null;
  return state?.registered ?? null;
}

/** Signing in: login, password, and whether to stay signed in on this device. */
export function Login() {
  const { t } = useText();
  const asksForCode = useSelector(useSession(), (snapshot) => snapshot.matches('confirming'));
  if (!asksForCode) return <PasswordLogin />;
  return (
    <SessionFrame title={t('interface.login.code_title')}>
      <Suspense>
        <SecondStep />
      </Suspense>
    </SessionFrame>
  );
}

function PasswordLogin() {
  const { t } = useText();
  const session = useSession();
  const alerts = useAlerts();
  const { rememberUser } = useServices();
  const busy = useSelector(session, (snapshot) => snapshot.hasTag('busy'));
  const registered = useRegisteredLogin();
  const [login, setLogin] = useState(registered ?? '');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(rememberUser);
  const [missing, setMissing] = useState<Missing | null>(null);

  useEffect(() => alerts.send({ type: 'alerts.clear' }), [alerts]);
  useEffect(() => {
    if (registered !== null) document.getElementById('password')?.focus();
  }, [registered]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const empty: Missing | null = login.trim() === '' ? 'login' : password === '' ? 'password' : null;
    setMissing(empty);
    if (empty) document.getElementById(empty)?.focus();
    else session.send({ type: 'session.signIn', login: login.trim(), password, rememberUser: remember });
  };
  return (
    <SessionFrame title={t('interface.login.title')}>
      <LoginNotes registered={registered !== null} />
      <form onSubmit={submit} noValidate aria-busy={busy}>
        <div className="session-field">
          <label htmlFor="login">{t('interface.login.login')}</label>
          <input
            id="login"
            className={missing === 'login' ? 'p-inputtext p-component p-invalid' : 'p-inputtext p-component'}
            value={login}
            autoFocus={registered === null}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={missing === 'login'}
            aria-describedby="login-error"
            onChange={(event) => setLogin(event.target.value)}
          />
          <FieldError id="login-error" text={missing === 'login' ? t('interface.login.needs_login') : null} />
        </div>
        <div className="session-field">
          <label htmlFor="password">{t('interface.login.password')}</label>
          <PasswordInput
            id="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            invalid={missing === 'password'}
            describedBy="password-error"
          />
          <FieldError id="password-error" text={missing === 'password' ? t('interface.login.needs_password') : null} />
        </div>
        <label className="session-check">
          <input type="checkbox" className="check" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
          {t('interface.login.remember')}
        </label>
        <Button type="submit" label={t('interface.login.submit')} loading={busy} />
      </form>
      {mayHavePasskeys && (
        <div className="session-passkey">
          <Suspense>
            <PasskeySignIn remember={remember} />
          </Suspense>
        </div>
      )}
      <p className="session-links">
        <Link to="/password/recovery">{t('interface.login.forgotten')}</Link>
        <Link to="/terms-and-conditions">{t('interface.login.terms')}</Link>
      </p>
      <Suspense>
        <RegistrationLinks />
      </Suspense>
      <Suspense>
        <DemoAccounts
          busy={busy}
          onChoose={(chosen) => session.send({ type: 'session.signIn', login: chosen, password: demoPassword, rememberUser: remember })}
        />
      </Suspense>
    </SessionFrame>
  );
}
