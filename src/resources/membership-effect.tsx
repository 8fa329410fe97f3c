import { Suspense } from 'react';
import type { AccessChange } from '#models/access-effect.ts';
import { groupChange, roleChange, userChange, userRoleChange } from '#models/membership-change.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import { maySee } from '#src/views/area/areas.tsx';
import type { AnyRow, Facts, PieceProps } from '#src/views/area/resource.ts';

const AccessEffectNote = lazyPart(() => import('#src/views/access/effect.tsx').then(({ AccessEffectNote: view }) => ({ default: view })));

type Area = 'users' | 'user-roles' | 'groups' | 'roles';
type Fields = Readonly<Record<string, unknown>>;

const idOf = (value: unknown): unknown => (value !== null && typeof value === 'object' && 'id' in value ? value.id : (value ?? null));
const idsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.map(idOf) : []);
const ofPerson = ({ domains, access_rules, elevator_access_disabled }: Fields): Fields => ({
  domains: idsOf(domains),
  access_rules: idsOf(access_rules),
  elevator_access_disabled,
});
/** What of a person or a group leads to rules, and of a role to doors. */
const leading: Readonly<Record<Area, (fields: Fields) => Fields>> = {
  users: ofPerson,
  'user-roles': (fields) => ({ role: idOf(fields['role']), ...ofPerson(fields) }),
  groups: ({ parent_id, users, access_rules }) => ({ parent_id: idOf(parent_id), users: idsOf(users), access_rules: idsOf(access_rules) }),
  roles: ({ permissions }) => ({ permissions: idsOf(permissions) }),
};
const schemas = { users: userChange, 'user-roles': userRoleChange, groups: groupChange, roles: roleChange } as const;
const asText = (fields: Fields): string =>
  JSON.stringify(Object.values(fields).map((ids) => (Array.isArray(ids) ? ids.map(String).toSorted() : ids)));

/** The change of access that stands in the form; null while nothing of it is changed, or of a person's role: not the role. */
function changeIn(area: Area, draft: Fields, row: AnyRow): AccessChange | null {
  const [was, is] = [leading[area](row), leading[area](draft)];
  if (area === 'user-roles' ? was['role'] === is['role'] : asText(was) === asText(is)) return null;
  return schemas[area].safeParse({ area, id: row.id, draft: is }).data ?? null;
}

/** Whether the form holds a change of who may pass which doors. */
export const changesAccess =
  (area: Area) =>
  ({ mode, draft, row, profile }: Pick<Facts<Fields>, 'mode' | 'draft' | 'row' | 'profile'>): boolean =>
    mode === 'edit' && row !== null && maySee(profile, 'devices') && changeIn(area, draft, row) !== null;

/** Which doors open and close for whom once the person, the group or the role is saved as it stands in the form. */
export const membershipEffect = (area: Area) =>
  function MembershipEffect({ draft, row }: PieceProps) {
    const change = row && changeIn(area, draft, row);
    return (
      change && (
        <Suspense fallback={null}>
          <AccessEffectNote change={change} />
        </Suspense>
      )
    );
  };
