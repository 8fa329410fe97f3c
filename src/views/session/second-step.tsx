import { useSelector } from '@xstate/react';
import { type FormEvent, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useSession } from '../system.ts';
import { SessionProblem } from './session-problem.tsx';

/** The code that is asked for after the password: of the app, or a recovery code. */
export default function SecondStep() {
  const { t } = useText();
  const session = useSession();
  const busy = useSelector(session, (snapshot) => snapshot.hasTag('busy'));
  const problem = useSelector(session, ({ context }) => context.problem);
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    setMissing(code.trim() === '');
    if (code.trim() === '') document.getElementById('second-code')?.focus();
    else session.send({ type: 'session.confirm', code: code.trim() });
  };
  return (
    <>
      <p className="quiet">{t('interface.login.code_lead')}</p>
      <SessionProblem problem={problem} />
      <form onSubmit={submit} noValidate aria-busy={busy}>
        <div className="session-field">
          <label htmlFor="second-code">{t('interface.login.code')}</label>
          <TextInput
            id="second-code"
            value={code}
            invalid={missing}
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            aria-describedby="second-code-error"
            onChange={(event) => setCode(event.target.value)}
          />
          <p id="second-code-error" className="session-error" hidden={!missing}>
            {t('interface.login.needs_code')}
          </p>
        </div>
        <Button type="submit" label={t('interface.login.submit')} loading={busy} />
      </form>
      <p className="session-links">
        <button type="button" className="link-button" onClick={() => session.send({ type: 'session.signOut' })}>
          {t('interface.projects.other_account')}
        </button>
      </p>
    </>
  );
}
