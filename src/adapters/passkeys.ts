import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import type { PasskeyProof } from '#models/passkey-calls.ts';
import type { ProblemCode } from '#models/problem.ts';
import { refuse } from './http.ts';

/** Why the authenticator brought nothing, in our words. Browsers tell giving up, a time that is over and a missing passkey apart for nobody. */
function codeOf(error: unknown): ProblemCode {
  const name = error instanceof WebAuthnError && error.cause instanceof Error ? error.cause.name : error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'passkey_exists';
  return name === 'NotAllowedError' || name === 'AbortError' ? 'passkey_cancelled' : 'passkey_unavailable';
}

type Options<F extends (given: { optionsJSON: never }) => unknown> = Parameters<F>[0]['optionsJSON'];

/** Has the authenticator of this device make or show a passkey, as the server asked. @throws Problem why it did not */
export async function performPasskey(kind: 'create' | 'get', asked: unknown): Promise<PasskeyProof> {
  const { challenge, options } = asked as { challenge: string; options: unknown };
  const response =
    kind === 'create'
      ? startRegistration({ optionsJSON: options as Options<typeof startRegistration> })
      : startAuthentication({ optionsJSON: options as Options<typeof startAuthentication> });
  return { challenge, response: (await response.catch((error: unknown) => refuse({ code: codeOf(error) }))) as PasskeyProof['response'] };
}
