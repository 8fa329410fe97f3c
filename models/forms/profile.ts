import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { type Profile, profilePatch } from '../profile.ts';

/** What a person edits of their own profile; inputs as text. */
export interface ProfileDraft {
  name: string;
  email: string;
  phone: string;
  address: string;
  time_zone: number;
  time_zone_name: string | null;
  time_format: Profile['profile']['time_format'];
  identifier_format: Profile['profile']['identifier_format'];
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);
const changed = <T extends object>(now: T, before: T): Partial<T> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== before[key as keyof T])) as Partial<T>;

/** The changed fields only, empty ones as null. */
function changesOf(draft: ProfileDraft, base: ProfileDraft) {
  const split = ({ name, email, phone, address, ...reading }: ProfileDraft) => ({
    top: { name, email: orNull(email) },
    block: { phone: orNull(phone), address: orNull(address), ...reading },
  });
  const [now, before] = [split(draft), split(base)];
  const [top, block] = [changed(now.top, before.top), changed(now.block, before.block)];
  return { ...top, ...(Object.keys(block).length > 0 && { profile: block }) };
}

/** One's own profile; only what was changed is sent, and only that is checked. */
export const profileForm = defineForm({
  name: 'profile',
  call: 'editProfile',
  start: ({ name, email, profile }: Profile): ProfileDraft => ({
    name,
    email: email ?? '',
    phone: profile.phone ?? '',
    address: profile.address ?? '',
    time_zone: profile.time_zone,
    time_zone_name: profile.time_zone_name,
    time_format: profile.time_format,
    identifier_format: profile.identifier_format,
  }),
  read: (draft, base) => {
    const body = changesOf(draft, base);
    const read = profilePatch.safeParse(body);
    return read.success ? { input: { body } } : { issues: toIssues(read.error) };
  },
  leave: { text: 'interface.profile.leave_question', approve: 'interface.profile.leave' },
  saved: 'interface.profile.saved',
  announces: ['issues', 'problems'],
});
