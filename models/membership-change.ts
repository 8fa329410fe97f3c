import { z } from 'zod';

const ids = z.array(z.uuid()).max(10_000);

const person = z.strictObject({ domains: ids, access_rules: ids, elevator_access_disabled: z.boolean().optional() });
/** What of a person leads to rules: what they are in, the rules given to them, and whether they may use elevators (as stored where it is left out). */
export const userChange = z.strictObject({ area: z.literal('users'), id: z.uuid(), draft: person.nullable() });
/** What of a person leads to doors that the console opens: another role, with all that leads to rules. */
export const userRoleChange = z.strictObject({ area: z.literal('user-roles'), id: z.uuid(), draft: person.extend({ role: z.uuid() }) });
/** What of a group leads to rules: below which it lies, who is in it, and the rules given to it. */
export const groupChange = z.strictObject({
  area: z.literal('groups'),
  id: z.uuid(),
  draft: z.strictObject({ parent_id: z.uuid().nullable(), users: ids, access_rules: ids }).nullable(),
});
/** What of a role leads to doors: what its holders may do. */
export const roleChange = z.strictObject({
  area: z.literal('roles'),
  id: z.uuid(),
  draft: z.strictObject({ permissions: z.array(z.string().max(100)).max(1_000) }),
});
