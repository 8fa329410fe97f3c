import { type Issue, toIssues } from '#models/issues.ts';
import { type Profile, profilePatch } from '#models/profile.ts';

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

/** The draft a profile starts with. */
export const draftOfProfile = ({ name, email, profile }: Profile): ProfileDraft => ({
  name,
  email: email ?? '',
  phone: profile.phone ?? '',
  address: profile.address ?? '',
  time_zone: profile.time_zone,
  time_zone_name: profile.time_zone_name,
  time_format: profile.time_format,
  identifier_format: profile.identifier_format,
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);
const changed = <T extends object>(now: T, before: T): Partial<T> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== before[key as keyof T])) as Partial<T>;

/** What saving would send: the changed fields only, empty ones as null; nothing where nothing was changed. */
export function profileChanges(draft: ProfileDraft, profile: Profile) {
  const split = ({ name, email, phone, address, ...reading }: ProfileDraft) => ({
    top: { name, email: orNull(email) },
    block: { phone: orNull(phone), address: orNull(address), ...reading },
  });
  const [now, before] = [split(draft), split(draftOfProfile(profile))];
  const [top, block] = [changed(now.top, before.top), changed(now.block, before.block)];
  return { ...top, ...(Object.keys(block).length > 0 && { profile: block }) };
}

/** What is wrong with the changed fields, by the schema the server checks with; field → finding. */
export function profileIssues(changes: object): ReadonlyMap<string, Issue> {
  const result = profilePatch.safeParse(changes);
  return new Map((result.success ? [] : toIssues(result.error)).map((issue) => [String(issue.path.at(-1)), issue]));
}

/** The server's findings in a refusal, by field. */
export function refusedFields(data: unknown): ReadonlyMap<string, Issue> {
  const issues = (data as { issues?: unknown } | null | undefined)?.issues;
  return new Map((Array.isArray(issues) ? (issues as Issue[]) : []).map((issue) => [String(issue.path.at(-1)), issue]));
}
