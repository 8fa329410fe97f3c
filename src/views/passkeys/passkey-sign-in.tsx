import { useSelector } from '@xstate/react';
import { type PasskeyProof, passkeyTime } from '#models/passkey-calls.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { SessionProblem } from '../session/session-problem.tsx';
import { useSession } from '../system.ts';

/** Signing in with a passkey: no login and no password, the authenticator knows whose it is. */
export default function PasskeySignIn({ remember }: { remember: boolean }) {
  const { t } = useText();
  const session = useSession();
  const busy = useSelector(session, (snapshot) => snapshot.hasTag('busy'));
  const request = useRequest('beginPasskeySignIn', {
    // What the call brings is what the authenticator made of its answer.
    done: (answer) =>
      session.send({ type: 'session.signIn', login: '', password: '', rememberUser: remember, passkey: answer as unknown as PasskeyProof }),
  });
  return (
    <>
      <Button
        tone="plain"
        icon="pi-key"
        label={t('interface.login.passkey')}
        loading={request.running}
        disabled={busy}
        onClick={() => request.run({ timeout: passkeyTime })}
      />
      <SessionProblem problem={request.problem} />
    </>
  );
}
