import { type CallInput, defineDraft, defineForm } from '../define-form.ts';
import { type Issue, toIssues } from '../issues.ts';
import { newPasskey, type Passkey, passkeyName } from '../passkey-calls.ts';
import { accountRemoval } from '../profile.ts';

type Read<C extends 'renamePasskey' | 'removePasskey'> = { input: CallInput<C> } | { issues: readonly Issue[] };

/** A passkey before the authenticator has made it: what it will be called, and the password. */
export const newPasskeyDraft = defineDraft({
  name: 'passkey-new',
  start: ({ name }: { name: string }) => ({ name, password: '' }),
  read: (draft) => {
    const read = newPasskey.safeParse(draft);
    return read.success ? { value: read.data } : { issues: toIssues(read.error) };
  },
});

export const renamePasskeyForm = defineForm({
  name: 'passkey-rename',
  call: 'renamePasskey',
  start: ({ name }: Pick<Passkey, 'id' | 'name'>) => ({ name }),
  read: (draft, _base, { id }): Read<'renamePasskey'> => {
    const read = passkeyName.safeParse(draft);
    return read.success ? { input: { params: { id }, body: read.data } } : { issues: toIssues(read.error) };
  },
  saved: 'entry.passkeys.renamed',
});

export const removePasskeyForm = defineForm({
  name: 'passkey-remove',
  call: 'removePasskey',
  start: (_given: Pick<Passkey, 'id'>) => ({ password: '' }),
  read: (draft, _base, { id }): Read<'removePasskey'> => {
    const read = accountRemoval.safeParse(draft);
    return read.success ? { input: { params: { id }, body: read.data } } : { issues: toIssues(read.error) };
  },
  saved: 'entry.passkeys.removed',
});
