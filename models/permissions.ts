import { areaRules, type Rule, type RuledArea, type Scope, type Verb } from './area-rules.ts';
import type { PermissionCode } from './permission-catalogue.ts';

/** Who asks: the codes of the role, and the ids that scopes are measured by. */
export interface Actor {
  id: string;
  permissions: readonly string[];
  domains: readonly string[];
}
/** What is asked about, as far as the principal knows it. */
export interface Subject {
  id?: string;
  created_by?: string | null;
  /** Ids of the groups the row belongs to; of a group, its own id. */
  domains?: readonly string[];
}

/** Whether somebody holds any of these codes, whatever the scope. */
export const hasPermission = (actor: Pick<Actor, 'permissions'>, ...codes: PermissionCode[]): boolean =>
  codes.some((code) => actor.permissions.includes(code));

const openDoors = ['can_receive_call_as_concierge', 'can_call_panel', 'can_edit_devices'] as const;
/** What somebody may do that is no verb of an area; each of these codes allows it. */
export const acts = {
  /** Doors are opened by those who sit at the desk, may call panels, or look after the devices; each that they can view. */
  openDoors,
  /** Besides those, the console opens to somebody what one of their own identifiers opens at that moment. */
  openOwnDoors: ['can_view_own_identifiers'],
  haveDoors: [...openDoors, 'can_view_own_identifiers'],
  /** The calls of queues are taken at a front desk, and those of groups by who intercepts them. */
  takeWaitingCalls: ['can_receive_call_as_concierge', 'can_intercept_call_like_concierge'],
  intercept: ['can_intercept_call_like_concierge'],
  /** Name, picture and how one is reached; how times and numbers are shown to one is everybody's own. */
  editOwnProfile: ['can_edit_profile', 'can_edit_all_users'],
} as const satisfies Record<string, readonly PermissionCode[]>;
export type Act = keyof typeof acts;

/** Whether somebody may do this: read by menu, phone and server alike. */
export const mayAct = (actor: Pick<Actor, 'permissions'>, act: Act): boolean => hasPermission(actor, ...acts[act]);

/** The scopes a verb reaches in an area; empty is a refusal. */
export function scopesOf(actor: Pick<Actor, 'permissions'>, verb: Verb, area: RuledArea): Scope[] {
  const rules: readonly Rule[] = areaRules[area][verb];
  const opens = ({ code, besides = [] }: Rule): boolean => [...(code ? [code] : []), ...besides].every((one) => actor.permissions.includes(one));
  return [...new Set(rules.filter(opens).map(({ scope }) => scope))];
}

/**
 * May this actor do this at all, or to this row? The server measures every scope in the database; here a scope that
 * needs the tree (`below`, `descendants`, `available`, `held`, `seen`) counts as reached, so that a button may show
 * and the server still refuse, never the reverse.
 */
export function may(actor: Actor, verb: Verb, area: RuledArea, subject?: Subject): boolean {
  const scopes = scopesOf(actor, verb, area);
  // One's own account is deleted in the profile, by those who may.
  if (area === 'users' && verb === 'delete' && subject?.id === actor.id) return false;
  if (!subject || scopes.some((scope) => scope !== 'own' && scope !== 'domain')) return scopes.length > 0;
  return scopes.some((scope) =>
    scope === 'own'
      ? subject.created_by === actor.id || (area === 'users' && subject.id === actor.id)
      : (subject.domains ?? []).some((id) => actor.domains.includes(id)),
  );
}
