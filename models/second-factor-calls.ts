import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { requiredText } from './rules.ts';

const password = z.string().min(1, 'required').max(1_000).meta({ kind: 'password', secret: true });
/** The digits of an authenticator app, or one of the recovery codes; spaces do not count. */
const code = requiredText(40);
const passwordBody = z.strictObject({ password });
export const codeBody = z.strictObject({ code });
const recoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()) });

/** How somebody stands with the second factor. */
const secondFactor = z.strictObject({
  is_on: z.boolean(),
  /** One's role requires it: it cannot be turned off. */
  is_required: z.boolean(),
  recovery_codes_left: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactor>;

/** The second factor of one's account: codes of an authenticator app, and recovery codes for when it is lost. */
export const secondFactorCalls = {
  secondFactor: call({
    method: 'GET',
    path: '/profile/second-factor',
    access: 'signedIn',
    enrols: true,
    summary: 'Whether a second factor is set up, and required',
    answer: secondFactor,
  }),
  beginSecondFactor: call({
    method: 'POST',
    path: '/profile/second-factor',
    access: 'signedIn',
    enrols: true,
    summary: 'Create the secret of an authenticator app; it counts once a code of it was confirmed',
    body: passwordBody,
    answer: z.strictObject({ secret: z.string(), uri: z.string() }),
  }),
  confirmSecondFactor: call({
    method: 'POST',
    path: '/profile/second-factor/confirm',
    access: 'signedIn',
    enrols: true,
    summary: 'Turn the second factor on by a code of the app; returns the recovery codes, once; other sessions end',
    body: codeBody,
    answer: recoveryCodes,
  }),
  renewRecoveryCodes: call({
    method: 'POST',
    path: '/profile/second-factor/recovery-codes',
    access: 'signedIn',
    summary: 'Create new recovery codes; the ones before stop working',
    body: passwordBody,
    answer: recoveryCodes,
  }),
  removeSecondFactor: call({
    method: 'DELETE',
    path: '/profile/second-factor',
    access: 'signedIn',
    summary: 'Turn the second factor off; refused where the role requires one',
    body: passwordBody,
  }),
  resetSecondFactor: call({
    method: 'POST',
    path: '/users/{id}/second-factor/reset',
    access: { area: 'users', verb: 'edit' },
    summary: "Remove a user's second factor, for somebody who has lost it; they are signed out and told by e-mail",
    params: byId,
  }),
};
