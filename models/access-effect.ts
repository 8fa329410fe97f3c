import { z } from 'zod';
import { accessRules } from './access-rules.ts';
import { call } from './define-call.ts';
import { named } from './define-model.ts';
import { elevatorAccessRules } from './elevator-access-rules.ts';
import { groupChange, roleChange, userChange, userRoleChange } from './membership-change.ts';
import { schedules } from './schedules.ts';

/**
 * A change of who may pass which doors that was not made yet: a record as it would be written; none where it would be deleted. Of people and
 * groups, that which leads to rules; of a role and of whose it is, what opens doors from the console.
 */
export const accessChange = z.discriminatedUnion('area', [
  z.strictObject({ area: z.literal('access-rules'), id: z.uuid().nullable(), draft: accessRules.write.nullable() }),
  z.strictObject({ area: z.literal('schedules'), id: z.uuid().nullable(), draft: schedules.write.nullable() }),
  z.strictObject({ area: z.literal('elevator-access-rules'), id: z.uuid().nullable(), draft: elevatorAccessRules.write.nullable() }),
  userChange,
  groupChange,
  roleChange,
  userRoleChange,
]);
export type AccessChange = z.infer<typeof accessChange>;
/** The area whose record a change is of. */
export const areaOfChange = ({ area }: AccessChange) => (area === 'user-roles' ? 'users' : area);

/** What a change does to somebody at a door: it opens where it never did, closes for good, or opens at other times. */
export const effectKinds = ['opens', 'closes', 'hours'] as const;
export type EffectKind = (typeof effectKinds)[number];

const floor = z.int().nullable();
/** A door by its device; at a lift one floor by the elevator and the floor's number, its name with both. */
const effectPlace = z.strictObject({ device: named, floor });
export interface EffectPlace {
  id: string;
  floor: number | null;
}
const effectPart = z.strictObject({
  /** People who meet the change at one place or more, among those one may view. */
  people: z.int(),
  /** Each place with how many people it is a change for, among those one may view. */
  doors: z.array(effectPlace.extend({ people: z.int() })),
});
export const accessEffect = z.strictObject({ opens: effectPart, closes: effectPart, hours: effectPart });
export type AccessEffect = z.infer<typeof accessEffect>;

const about = {
  codes: [
    'can_create_access_rules',
    'can_edit_access_rules',
    'can_delete_access_rules',
    'can_create_time_rules',
    'can_edit_time_rules',
    'can_delete_time_rules',
    'can_create_elevator_access_rules',
    'can_edit_elevator_access_rules',
    'can_delete_elevator_access_rules',
    'can_edit_roles',
    'can_edit_available_roles',
    'can_edit_all_roles',
    'can_edit_all_users',
    'can_delete_users',
    'can_edit_all_groups',
    'can_edit_descendant_groups',
    'can_manage_own_group_users',
    'can_manage_own_group_access_rules',
    'can_delete_own_group',
    'can_delete_all_groups',
  ],
  about: 'access-rules',
} as const;

/** What a change of access would do, before it is made. */
export const accessEffectCalls = {
  accessEffect: call({
    method: 'POST',
    reads: true,
    path: '/access/effect',
    access: about,
    summary:
      'Which doors a change of an access rule, a schedule, a rule for elevators, a role, a person or a group would open and close, for how many people; nothing is written',
    body: accessChange,
    answer: accessEffect,
    timeout: 15_000,
  }),
  accessEffectPeople: call({
    method: 'POST',
    reads: true,
    path: '/access/effect/people',
    access: about,
    summary: 'The people for whom a change would open or close a door, by name, 50 at a time',
    body: z.strictObject({
      change: accessChange,
      kind: z.enum(effectKinds),
      device: z.uuid().nullable(),
      floor: floor.default(null),
      page: z.int().min(1).max(10_000),
    }),
    answer: z.strictObject({ people: z.array(named), total: z.int() }),
    timeout: 15_000,
  }),
} as const;
