import { defineForm } from '../define-form.ts';
import { type Issue, toIssues } from '../issues.ts';
import { passwordChange } from '../profile.ts';

/** Changing one's own password: the present one, and the new one twice. */
export const passwordChangeForm = defineForm({
  name: 'password-change',
  call: 'changePassword',
  start: () => ({ old: '', new: '', repeat: '' }),
  read: (draft) => {
    const body = { old: draft.old, new: draft.new };
    const read = passwordChange.safeParse(body);
    const found: Issue[] = read.success ? [] : toIssues(read.error);
    const isUsable = !found.some(({ path }) => path[0] === 'new');
    const issues = isUsable && draft.repeat !== draft.new ? [...found, { path: ['repeat'], rule: 'must_match', params: {} }] : found;
    return issues.length > 0 ? { issues } : { input: { body } };
  },
  saved: 'interface.profile.password_changed',
});
