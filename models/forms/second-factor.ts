import { type CallInput, defineForm } from '../define-form.ts';
import type { CallName } from '../api.ts';
import { type Issue, toIssues } from '../issues.ts';
import { accountRemoval } from '../profile.ts';
import { codeBody } from '../second-factor-calls.ts';

/** Something that is asked for with the password. */
const withPassword = <C extends CallName>(name: string, call: C, saved?: string) =>
  defineForm({
    name,
    call,
    start: () => ({ password: '' }),
    read: (body): { input: CallInput<C> } | { issues: readonly Issue[] } => {
      const read = accountRemoval.safeParse(body);
      return read.success ? { input: { body: read.data } as CallInput<C> } : { issues: toIssues(read.error) };
    },
    ...(saved !== undefined && { saved }),
  });

export const beginSecondFactorForm = withPassword('second-factor-begin', 'beginSecondFactor');
export const renewRecoveryCodesForm = withPassword('recovery-codes', 'renewRecoveryCodes');
export const removeSecondFactorForm = withPassword('second-factor-off', 'removeSecondFactor', 'entry.second.turned_off');

/** The first code of the app. */
export const confirmSecondFactorForm = defineForm({
  name: 'second-factor-confirm',
  call: 'confirmSecondFactor',
  start: () => ({ code: '' }),
  read: (draft) => {
    const read = codeBody.safeParse(draft);
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
});
