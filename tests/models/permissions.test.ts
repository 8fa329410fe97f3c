import { describe, expect, it } from 'vitest';
import { isPermission, permissionCodes } from '#models/permission-catalogue.ts';
import { areaRules, type RuledArea, type Scope, type Verb } from '#models/area-rules.ts';
import { type Actor, hasPermission, may, scopesOf, type Subject } from '#models/permissions.ts';

const me = 'user-me';
const actor = (...permissions: string[]): Actor => ({ id: me, permissions, domains: ['tower-a'] });
const mine: Subject = { id: 'x', created_by: me, domains: ['elsewhere'] };
const neighbour: Subject = { id: 'x', created_by: 'another', domains: ['tower-a'] };
const stranger: Subject = { id: 'x', created_by: 'another', domains: ['elsewhere'] };
const myself: Subject = { id: me, created_by: null, domains: [] };

describe('the scopes a verb reaches', () => {
  it.each<[Verb, RuledArea, string[], Scope[]]>([
    ['view', 'users', [], ['own']],
    ['view', 'users', ['can_view_users'], ['own', 'descendants']],
    ['view', 'users', ['can_view_users', 'can_view_all_users'], ['own', 'descendants', 'all']],
    ['create', 'users', [], []],
    ['create', 'users', ['can_create_users'], ['all']],
    ['edit', 'users', [], ['own']],
    ['edit', 'users', ['can_edit_all_users'], ['own', 'all']],
    ['delete', 'users', ['can_edit_all_users'], []],
    ['view', 'groups', [], ['descendants']],
    ['view', 'groups', ['can_view_all_groups'], ['descendants', 'all']],
    ['create', 'groups', ['can_create_descendant_group'], ['descendants']],
    ['create', 'groups', ['can_create_root_group'], ['all']],
    ['edit', 'groups', ['can_manage_own_group_general', 'can_manage_own_group_users'], ['domain']],
    ['edit', 'groups', ['can_edit_descendant_groups'], ['below']],
    ['edit', 'groups', ['can_edit_all_groups'], ['all']],
    ['delete', 'groups', ['can_delete_own_group'], ['own']],
    ['view', 'roles', [], ['own']],
    ['view', 'roles', ['can_view_roles', 'can_view_users_roles'], ['own', 'available', 'held']],
    ['edit', 'roles', ['can_edit_roles'], ['own']],
    ['edit', 'roles', ['can_edit_available_roles'], ['available']],
    ['delete', 'roles', ['can_delete_all_roles'], ['all']],
    ['view', 'group-types', [], ['all']],
    ['edit', 'group-types', [], []],
    ['view', 'markers', ['can_view_markers'], ['own', 'descendants']],
    ['view', 'audit-events', [], []],
    ['view', 'audit-events', ['can_view_all_groups', 'can_view_all_users'], []],
    ['view', 'audit-events', ['can_view_audit_events'], ['own', 'descendants']],
    ['view', 'audit-events', ['can_view_audit_events', 'can_view_all_groups'], ['own', 'descendants']],
    ['view', 'audit-events', ['can_view_audit_events', 'can_view_all_groups', 'can_view_all_users'], ['own', 'descendants', 'all']],
    ['edit', 'audit-events', [...permissionCodes], []],
    ['delete', 'audit-events', [...permissionCodes], []],
  ])('%s %s with %j: %j', (verb, area, codes, scopes) => expect(scopesOf(actor(...codes), verb, area)).toEqual(scopes));

  it('gives nothing to a code that is merely similar', () => {
    expect(scopesOf(actor('can_create_user', 'CAN_CREATE_USERS', 'can_create_users '), 'create', 'users')).toEqual([]);
  });
});

describe('may', () => {
  it.each<[string, boolean, Verb, RuledArea, string[], Subject | undefined]>([
    ['anybody opens the list of users', true, 'view', 'users', [], undefined],
    ['anybody sees themselves', true, 'view', 'users', [], myself],
    ['anybody edits themselves', true, 'edit', 'users', [], myself],
    ['nobody edits a stranger unasked', false, 'edit', 'users', [], stranger],
    ['nobody edits a neighbour unasked', false, 'edit', 'users', [], neighbour],
    ['a maker edits the user they made', true, 'edit', 'users', [], mine],
    ['the code opens all users one may view', true, 'edit', 'users', ['can_edit_all_users'], stranger],
    ['nobody deletes even themselves unasked', false, 'delete', 'users', [], myself],
    ['nobody deletes themselves among the users', false, 'delete', 'users', ['can_delete_users'], myself],
    ['others are deleted by those who may', true, 'delete', 'users', ['can_delete_users'], stranger],
    ['a scope that needs the tree counts as reached', true, 'view', 'users', ['can_view_users'], stranger],
    ['one’s own group may be managed', true, 'edit', 'groups', ['can_manage_own_group_general'], neighbour],
    ['another group may not', false, 'edit', 'groups', ['can_manage_own_group_general'], stranger],
    ['having made a group does not open its editor', false, 'edit', 'groups', ['can_manage_own_group_general'], mine],
    ['own groups are those one made', true, 'delete', 'groups', ['can_delete_own_group'], mine],
    ['a group one only belongs to is not one’s own to delete', false, 'delete', 'groups', ['can_delete_own_group'], neighbour],
    ['a role one made', true, 'edit', 'roles', ['can_edit_roles'], mine],
    ['a role another made', false, 'edit', 'roles', ['can_edit_roles'], stranger],
    ['the id of a role is not oneself', false, 'edit', 'roles', ['can_edit_roles'], myself],
    ['a row without maker belongs to nobody', false, 'delete', 'roles', ['can_delete_roles'], { id: 'x' }],
    ['a log is not edited by anybody', false, 'edit', 'audit-events', [...permissionCodes], mine],
    ['a log is not deleted by anybody', false, 'delete', 'audit-events', [...permissionCodes], undefined],
  ])('%s: %s', (_name, answer, verb, area, codes, subject) => expect(may(actor(...codes), verb, area, subject)).toBe(answer));

  it('agrees with the scopes where no row is named', () => {
    for (const area of Object.keys(areaRules) as RuledArea[])
      for (const verb of ['view', 'create', 'edit', 'delete'] as const)
        for (const codes of [[], [...permissionCodes]])
          expect(may(actor(...codes), verb, area)).toBe(scopesOf(actor(...codes), verb, area).length > 0);
  });

  it('denies every change to somebody without a role', () => {
    const allowed = (Object.keys(areaRules) as RuledArea[]).flatMap((area) =>
      (['create', 'edit', 'delete'] as const).filter((verb) => may(actor(), verb, area, stranger)).map((verb) => `${verb} ${area}`),
    );
    expect(allowed).toEqual([]);
  });
});

describe('codes', () => {
  it('are held by presence, any of those asked for', () => {
    expect(hasPermission(actor('can_view_users'), 'can_view_users', 'can_view_all_users')).toBe(true);
    expect(hasPermission(actor('can_view_users'), 'can_view_all_users')).toBe(false);
    expect(hasPermission(actor('can_view_users'))).toBe(false);
  });
  it('are told from other words', () => {
    expect(isPermission('can_view_users')).toBe(true);
    expect(['can_fly', 'constructor', '', 'can_view_users '].filter(isPermission)).toEqual([]);
  });
});
