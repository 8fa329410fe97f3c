import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { type WalletLook, walletLook } from '../wallet.ts';

const texts = ['developer_name', 'barcode_text', 'back_fields'] as const;

/** How wallet passes of a project look; a text left empty is none. */
export const walletLookForm = defineForm({
  name: 'wallet-look',
  call: 'setWalletLook',
  start: (look: WalletLook): Record<keyof WalletLook, string> => ({
    ...look,
    developer_name: look.developer_name ?? '',
    barcode_text: look.barcode_text ?? '',
    back_fields: look.back_fields ?? '',
  }),
  read: (draft) => {
    const read = walletLook.safeParse({ ...draft, ...Object.fromEntries(texts.map((key) => [key, draft[key].trim() || null])) });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  saved: 'areas.wallet.saved',
});
