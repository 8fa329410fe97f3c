import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { certificateInfo } from './integrations.ts';
import { color, optionalText } from './rules.ts';

/** How a wallet pass looks (FIELD-19, FIELD-67). */
export const walletLookFields = {
  developer_name: optionalText(64),
  foreground_color: color(),
  background_color: color(),
  label_color: color(),
  barcode_text: optionalText(64),
  back_fields: optionalText(1_000),
};
export const walletLook = z.strictObject(walletLookFields);
export type WalletLook = z.infer<typeof walletLook>;
/** How passes look until somebody says otherwise. */
export const plainWalletLook: WalletLook = {
  developer_name: null,
  foreground_color: '#ffffff',
  background_color: '#2b5bd7',
  label_color: '#ffffff',
  barcode_text: null,
  back_fields: null,
};

/** The types of identifiers that a pass can carry; cards, plates and faces are not read off a screen. */
export const passTypes: ReadonlySet<string> = new Set(['qr', 'url', 'access_code']);

/** What is told of the certificate that signs passes; it and its key are never read back. */
const walletCertificate = certificateInfo.omit({ has_key: true }).extend({ pass_type: z.string(), team: z.string() });
export type WalletCertificate = z.infer<typeof walletCertificate>;
export const walletSettings = z.strictObject({ certificate: walletCertificate.nullable(), look: walletLook });
export type WalletSettings = z.infer<typeof walletSettings>;

const may = (...codes: ('can_view_project_settings' | 'can_change_project_settings')[]) => ({ codes, about: 'wallet' });
const pass = { method: 'GET', download: true, params: byId } as const;

/** Wallet passes (IDENT-08), and what a project needs for them (SETT-01). */
export const walletCalls = {
  wallet: call({
    method: 'GET',
    path: '/project-settings/apple-wallet',
    access: may('can_view_project_settings', 'can_change_project_settings'),
    summary: 'How wallet passes of the project look, and whose certificate signs them',
    answer: walletSettings,
  }),
  setWalletLook: call({
    method: 'PUT',
    path: '/project-settings/apple-wallet',
    access: may('can_change_project_settings'),
    summary: 'Change how wallet passes of the project look',
    body: walletLook,
    answer: walletSettings,
  }),
  setWalletCertificate: call({
    method: 'POST',
    path: '/project-settings/apple-wallet/certificate',
    access: may('can_change_project_settings'),
    summary: 'Upload the PEM file that signs wallet passes: the certificate of the pass type, its key and the certificate of its issuer',
    body: z.strictObject({ passphrase: z.string().max(255).optional() }),
    files: ['certificate'],
    answer: walletSettings,
  }),
  removeWalletCertificate: call({
    method: 'DELETE',
    path: '/project-settings/apple-wallet/certificate',
    access: may('can_change_project_settings'),
    summary: 'Remove the certificate that signs wallet passes',
    answer: walletSettings,
  }),
  identifierPass: call({
    ...pass,
    path: '/identifiers/{id}/pkpass',
    access: { area: 'identifiers', verb: 'view' },
    summary: 'The wallet pass of an identifier, signed by the project’s certificate',
  }),
  guestPass: call({
    ...pass,
    path: '/identifiers/guests/{id}/pkpass',
    access: { area: 'guest-identifiers', verb: 'view' },
    feature: 'guests',
    summary: 'The wallet pass of a guest’s key, signed by the project’s certificate',
  }),
  ownPass: call({
    method: 'GET',
    download: true,
    path: '/guest-access/{key}/pkpass',
    access: 'anyone',
    summary: 'The wallet pass of a guest’s key, for the guest',
    params: z.strictObject({ key: z.string().regex(/^[\w-]{16,64}$/) }),
  }),
} as const;
