import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { accountRemoval, sessionGrant } from './profile.ts';
import { requiredText } from './rules.ts';

/** Everything below is base64url, as WebAuthn's JSON has it (Level 3, 5.1.4). */
const bytes = (max: number) => z.string().min(1).max(max);
const challenge = z.string().min(20).max(20_000).meta({ secret: true });
/** What the browser is asked to do, as WebAuthn's JSON has it. */
const options = z.record(z.string(), z.unknown());
const asked = z.strictObject({ challenge, options });
const credential = { id: bytes(1_500), rawId: bytes(1_500), type: z.literal('public-key'), authenticatorAttachment: z.string().max(40).optional() };

/** What an authenticator answers when it has made a passkey. */
const madePasskey = z.object({
  ...credential,
  clientExtensionResults: z.record(z.string(), z.unknown()),
  response: z.object({
    clientDataJSON: bytes(10_000),
    attestationObject: bytes(100_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
/** What an authenticator answers when a passkey is shown. */
const shownPasskey = z.object({
  ...credential,
  clientExtensionResults: z.record(z.string(), z.unknown()),
  response: z.object({
    clientDataJSON: bytes(10_000),
    authenticatorData: bytes(10_000),
    signature: bytes(10_000),
    userHandle: bytes(200).optional(),
  }),
});
export type MadePasskey = z.infer<typeof madePasskey>;
export type ShownPasskey = z.infer<typeof shownPasskey>;
/** What is sent to the server of a passkey that was made or shown; the challenge says for what. */
export interface PasskeyProof<R = MadePasskey | ShownPasskey> {
  challenge: string;
  response: R;
}
/** How long somebody may take with their authenticator. */
export const passkeyTime = 300_000;
/** More passkeys than anybody needs. */
export const mostPasskeys = 20;

const name = requiredText(60);
export const passkeyName = z.strictObject({ name });
export const newPasskey = z.strictObject({ name, password: accountRemoval.shape.password });

const passkey = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  /** It goes along to other devices of its owner. */
  is_synced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;
const ownPasskeys = z.strictObject({
  items: z.array(passkey),
  /** One's role requires a second factor and there is no other: the last one cannot be removed. */
  is_required: z.boolean(),
});

/** The passkeys of one's account (WebAuthn): they sign in by themselves, and count as both factors. */
export const passkeyCalls = {
  passkeys: call({
    method: 'GET',
    path: '/profile/passkeys',
    access: 'signedIn',
    enrols: true,
    summary: 'Passkeys of this user',
    answer: ownPasskeys,
  }),
  beginPasskey: call({
    method: 'POST',
    path: '/profile/passkeys/options',
    access: 'signedIn',
    enrols: true,
    summary: 'Begin adding a passkey; returns what the authenticator is asked for, valid for five minutes',
    body: accountRemoval,
    answer: asked,
    ceremony: 'create',
  }),
  addPasskey: call({
    method: 'POST',
    path: '/profile/passkeys',
    access: 'signedIn',
    enrols: true,
    summary: 'Add the passkey that the authenticator has made; sessions begun without a second factor end where the role requires one',
    body: z.strictObject({ challenge, response: madePasskey, name }),
    answer: passkey,
  }),
  renamePasskey: call({
    method: 'PATCH',
    path: '/profile/passkeys/{id}',
    access: 'signedIn',
    summary: 'Rename a passkey',
    params: byId,
    body: passkeyName,
    answer: passkey,
  }),
  removePasskey: call({
    method: 'DELETE',
    path: '/profile/passkeys/{id}',
    access: 'signedIn',
    summary: 'Remove a passkey; refused for the last one where the role requires a second factor',
    params: byId,
    body: accountRemoval,
  }),
  beginPasskeySignIn: call({
    method: 'POST',
    path: '/login/passkey/options',
    access: 'anyone',
    urgent: true,
    reads: true,
    summary: 'Begin a sign-in with a passkey; returns what the authenticator is asked for, valid for five minutes',
    answer: asked,
    ceremony: 'get',
  }),
  passkeySignIn: call({
    method: 'POST',
    path: '/login/passkey',
    access: 'anyone',
    urgent: true,
    summary: 'Sign in with a passkey, which counts as both factors',
    body: z.strictObject({ challenge, response: shownPasskey }),
    answer: z.strictObject({ sessions: z.array(sessionGrant) }),
  }),
};
