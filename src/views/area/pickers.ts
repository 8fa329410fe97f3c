import type { AreaName } from '#models/areas.ts';
import { deviceTypes } from '#models/device-models.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import type { Profile } from '#models/profile.ts';
import { type AssignableRole, mayAssign, type Role } from '#models/roles.ts';
import { groupText } from '#src/components/group-text.ts';
import { elevatorText } from '../elevators/elevator-text.ts';
import type { AnyRow } from './resource.ts';

/** How the rows of an area are offered for choosing. */
export interface PickerDefinition {
  area: AreaName;
  /** What tells namesakes apart, below the name. */
  second?: (row: AnyRow) => string | null;
  /** What the chosen row is called outside its list, where the name alone says too little. */
  full?: (row: AnyRow) => string;
  /** A narrower choice beside the search, at `list.picker.narrow.<key>`: people whose role holds a permission. */
  narrow?: { key: 'group_admins'; field: string; holds: PermissionCode };
  /** A choice of the area by whose words the rows may be narrowed, as chips beside the search. */
  byChoice?: { field: string; words: readonly string[] };
  /** A chip beside the search that leaves only the rows of which this flag holds, at `list.picker.only.<flag>`. */
  byFlag?: 'hasAccessModeController';
  /** The field that names a row's group, by which the rows may be narrowed beside the search. */
  byGroup?: string;
  /** Whether this person may choose the row; if not, why is at `list.picker.refused.<word>`. */
  unavailable?: (row: AnyRow, profile: Profile) => 'unavailable_role' | null;
}

const textOf = (row: AnyRow, field: string): string | null => {
  const value = row[field];
  return typeof value === 'string' && value !== '' ? value : null;
};

const named = (row: AnyRow, field: string): string | null => {
  const value = row[field];
  return value !== null && typeof value === 'object' && 'name' in value ? String(value.name) : null;
};

const assignable = (row: AnyRow): AssignableRole => {
  const { permissions, created_by_user: maker } = row as unknown as Role;
  return { id: row.id, permissions, createdBy: maker?.id ?? null };
};

/** Names from the root down to the group. */
const pathOf = (row: AnyRow): string[] => (Array.isArray(row['path']) ? row['path'].map(String) : []);

/** Where the owner of a number is, or who it is where the number is not called so already. */
const ownerOf = (row: AnyRow): string | null => {
  const owner = row['owner_info'] as { name: string; address: string | null } | null;
  return owner && (owner.address ?? (owner.name === row['name'] ? null : owner.name));
};

/** The pickers of the areas that have screens, by area. */
export const pickers: Partial<Record<AreaName, PickerDefinition>> = {
  users: {
    area: 'users',
    second: (row) => [textOf(row, 'email'), named(row, 'role')].filter(Boolean).join(' · ') || textOf(row, 'login'),
    narrow: { key: 'group_admins', field: 'role', holds: 'can_manage_own_group_general' },
  },
  roles: {
    area: 'roles',
    second: (row) => textOf(row, 'description'),
    unavailable: (row, { id, role }) =>
      mayAssign({ id, permissions: role?.permissions ?? [], availableRoles: role?.available_roles ?? [] }, assignable(row))
        ? null
        : 'unavailable_role',
  },
  groups: {
    area: 'groups',
    second: (row) => pathOf(row).slice(0, -1).join(' · ') || named(row, 'domain_type_id'),
    full: (row) => groupText({ name: textOf(row, 'name') ?? '', path: pathOf(row) }),
  },
  'group-types': { area: 'group-types', second: (row) => textOf(row, 'description') },
  markers: { area: 'markers' },
  amenities: { area: 'amenities', second: (row) => textOf(row, 'address') },
  'sip-numbers': {
    area: 'sip-numbers',
    second: (row) => [textOf(row, 'name'), ownerOf(row)].filter(Boolean).join(' · '),
    full: (row) => [textOf(row, 'number'), textOf(row, 'name')].filter(Boolean).join(' '),
  },
  identifiers: { area: 'identifiers', second: (row) => named(row, 'owner') },
  'forward-rules': { area: 'forward-rules' },
  schedules: { area: 'schedules', second: (row) => textOf(row, 'description') },
  'access-rules': { area: 'access-rules', second: (row) => textOf(row, 'description') },
  'sip-trunks': { area: 'sip-trunks', second: (row) => textOf(row, 'termination_uri') },
  integrations: { area: 'integrations', second: (row) => textOf(row, 'url') },
  elevators: {
    area: 'elevators',
    byFlag: 'hasAccessModeController',
    byGroup: 'domain_id',
    full: (row) => elevatorText({ name: textOf(row, 'name') ?? '', domain: textOf(row, 'domain') }),
    second: (row) => {
      const group = row['domain_id'];
      return group !== null && typeof group === 'object' ? groupText(group as { name: string; path?: readonly string[] }) : null;
    },
  },
  devices: {
    area: 'devices',
    byChoice: { field: 'type', words: deviceTypes },
    second: (row) => [groupText({ name: '', path: pathOf(row) }), textOf(row, 'login')].filter(Boolean).join(' · '),
  },
};
