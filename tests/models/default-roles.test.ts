import { describe, expect, it } from 'vitest';
import { type DefaultRole, defaultRoles } from '#models/default-roles.ts';
import { isPermission, permissionCatalogue, permissionCodes } from '#models/permission-catalogue.ts';
import { may } from '#models/permissions.ts';

const role = (key: DefaultRole['key']): DefaultRole => {
  const found = defaultRoles.find((one) => one.key === key);
  if (!found) throw new Error(`no role ${key}`);
  return found;
};
const holder = (key: DefaultRole['key']) => ({ id: 'me', permissions: role(key).permissions, domains: ['home'] });

describe('the roles a project starts with', () => {
  it('are the six of the contract', () => {
    expect(defaultRoles.map(({ key }) => key)).toEqual(['administrator', 'dealer', 'groupAdministrator', 'propertyManager', 'concierge', 'resident']);
  });
  it.each(defaultRoles.map((one) => [one.key, one] as const))(
    '%s holds codes of the catalogue, each once, and assigns roles that exist',
    (_key, { permissions, available }) => {
      expect(permissions.filter((code) => !isPermission(code))).toEqual([]);
      expect(new Set(permissions).size).toBe(permissions.length);
      expect(available.filter((key) => !defaultRoles.some((one) => one.key === key))).toEqual([]);
    },
  );
});

describe('what they may', () => {
  it('the administrator: everything', () => expect(role('administrator').permissions.toSorted()).toEqual(permissionCodes.toSorted()));
  it.each(['dealer', 'groupAdministrator', 'propertyManager', 'concierge', 'resident'] as const)(
    '%s: neither grant more than own nor change the project',
    (key) => {
      const { permissions } = role(key);
      expect(
        permissions.filter((code) => code === 'can_grant_more_than_own' || (permissionCatalogue.project as readonly string[]).includes(code)),
      ).toEqual([]);
    },
  );
  it.each(['groupAdministrator', 'propertyManager', 'concierge', 'resident'] as const)('%s: see no further than their groups', (key) => {
    const far = role(key).permissions.filter((code) => /^can_(?:view|create|delete)_all_|_root_/.test(code));
    expect(far).toEqual([]);
  });
  it.each([
    ['resident', 'view', 'users', false],
    ['resident', 'create', 'users', false],
    ['resident', 'edit', 'groups', false],
    ['concierge', 'view', 'users', true],
    ['concierge', 'create', 'users', false],
    ['concierge', 'delete', 'groups', false],
    ['propertyManager', 'create', 'users', true],
    ['propertyManager', 'create', 'groups', false],
    ['groupAdministrator', 'create', 'groups', true],
    ['groupAdministrator', 'create', 'roles', true],
    ['groupAdministrator', 'view', 'audit-events', false],
    ['dealer', 'view', 'audit-events', true],
    ['administrator', 'delete', 'group-types', true],
  ] as const)('%s %s %s: %s', (key, verb, area, answer) =>
    expect(may(holder(key), verb, area, { id: 'x', created_by: 'another', domains: ['elsewhere'] })).toBe(answer),
  );
  it('only those at the desk take calls over', () => {
    const takers = defaultRoles.filter(({ permissions }) => permissions.includes('can_intercept_call_like_concierge')).map(({ key }) => key);
    expect(takers).toEqual(['administrator', 'concierge']);
  });
});
