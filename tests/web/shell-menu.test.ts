import { describe, expect, it } from 'vitest';
import { allLicensed, type LicenceInfo, nothingLicensed } from '#models/licence-info.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import en from '#locales/en/interface.json';
import ru from '#locales/ru/interface.json';
import { screenPaths } from '#src/app/routes.tsx';
import { menu, visibleMenu } from '#src/views/shell/menu.ts';

const everyPath: ReadonlySet<string> = new Set(menu.flatMap(({ items }) => items.map(({ path }) => path)));
const viewer = (permissions: readonly PermissionCode[] = [], features: LicenceInfo = allLicensed, license_info: LicenceInfo = allLicensed) => ({
  role: { id: 'r', name: 'R', permissions: [...permissions], available_roles: [] },
  features,
  license_info,
});
const seen = (...args: Parameters<typeof viewer>): string[] =>
  visibleMenu(viewer(...args), everyPath).flatMap(({ items }) => items.map(({ path }) => path));

describe('the side menu', () => {
  it('has the categories and entries of the specification, in its order', () => {
    expect(menu.map(({ key, items }) => [key, ...items.map(({ path }) => path)])).toEqual([
      ['common', '/home', '/notifications'],
      ['reports', '/reports/licenses'],
      ['people', '/users', '/roles', '/groups'],
      ['access', '/guest-access', '/schedules', '/access-rules', '/identifiers', '/ukey2', '/access-matrix', '/access-control/events'],
      ['communications', '/conversations', '/announces', '/announces/response'],
      ['reservation', '/amenities', '/amenities/reservations'],
      ['emergency', '/devices/alarms', '/devices/alarms-calls', '/emergency-alerts'],
      ['phone', '/virtual-numbers', '/call-history', '/forward-rules', '/sip-trunks'],
      ['device-management', '/devices', '/devices/events', '/devices/tasks'],
      ['elevator-management', '/elevators', '/elevators/events', '/elevators/access-rules'],
      ['settings', '/audit-events', '/backups', '/general-settings', '/licenses', '/system-info'],
    ]);
  });

  it('shows somebody without any permission only what needs none', () => {
    expect(seen()).toEqual([
      '/home', '/notifications', '/users', '/groups', '/virtual-numbers', '/call-history',
    ]); // prettier-ignore
  });

  it.each([
    ['can_view_licenses_used_report', '/reports/licenses'],
    ['can_view_backups', '/backups'],
    ['can_view_system_info', '/system-info'],
    ['can_view_roles', '/roles'],
    ['can_view_users_roles', '/roles'],
    ['can_view_all_roles', '/roles'],
    ['can_create_guest_identifiers', '/guest-access'],
    ['can_view_time_rules', '/schedules'],
    ['can_view_access_rules', '/access-rules'],
    ['can_view_access_rules', '/access-matrix'],
    ['can_view_own_identifiers', '/identifiers'],
    ['can_view_domain_identifiers', '/identifiers'],
    ['can_view_descendants_identifiers', '/identifiers'],
    ['can_view_all_identifiers', '/identifiers'],
    ['can_view_ukey2', '/ukey2'],
    ['can_view_access_control_events', '/access-control/events'],
    ['can_view_announces', '/announces'],
    ['can_view_announces', '/announces/response'],
    ['can_view_own_amenities', '/amenities'],
    ['can_view_descendants_amenities', '/amenities'],
    ['can_view_all_amenity_reservations', '/amenities/reservations'],
    ['can_view_domain_amenity_reservations', '/amenities/reservations'],
    ['can_view_emergency_alerts', '/emergency-alerts'],
    ['can_view_device_alarms', '/devices/alarms'],
    ['can_view_device_alarms', '/devices/alarms-calls'],
    ['can_view_forward_rules', '/forward-rules'],
    ['can_view_own_sip_trunks', '/sip-trunks'],
    ['can_manage_own_group_sip_trunks', '/sip-trunks'],
    ['can_view_descendant_devices', '/devices'],
    ['can_view_all_devices', '/devices'],
    ['can_view_device_events', '/devices/events'],
    ['can_view_device_tasks', '/devices/tasks'],
    ['can_view_elevators', '/elevators'],
    ['can_view_elevators', '/elevators/events'],
    ['can_view_elevator_access_rules', '/elevators/access-rules'],
    ['can_view_audit_events', '/audit-events'],
    ['can_view_licenses', '/licenses'],
    ['can_manage_licenses', '/licenses'],
    ['can_change_project_settings', '/general-settings'],
    ['can_manage_company_information', '/general-settings'],
    ['can_view_markers', '/general-settings'],
    ['can_import_device_backup', '/general-settings'],
  ] as const)('%s opens %s', (code, path) => {
    expect(seen()).not.toContain(path);
    expect(seen([code])).toContain(path);
  });

  it('own-group devices alone do not open the device list', () => expect(seen(['can_view_own_group_devices'])).not.toContain('/devices'));

  it.each([
    ['/virtual-numbers', 'sip'],
    ['/call-history', 'sip'],
    ['/forward-rules', 'sip'],
    ['/sip-trunks', 'sip'],
    ['/amenities', 'amenity'],
    ['/amenities/reservations', 'amenity'],
    ['/elevators', 'elevator'],
    ['/elevators/events', 'elevator'],
    ['/elevators/access-rules', 'elevator'],
    ['/ukey2', 'ukey2'],
    ['/guest-access', 'identifier'],
  ] as const)("%s needs the server's licence for %s and the person's own flag", (path, block) => {
    const codes = menu.flatMap(({ items }) => items.flatMap(({ permissions = [] }) => permissions));
    const without = { ...allLicensed, [block]: nothingLicensed[block] };
    expect([seen(codes), seen(codes, without), seen(codes, allLicensed, without)].map((paths) => paths.includes(path))).toEqual([true, false, false]);
  });

  it('trunks also need trunks to be licensed', () => {
    const without = { ...allLicensed, sip: { ...allLicensed.sip, is_sip_trunks_enabled: false } };
    expect(seen(['can_view_all_sip_trunks'], without)).not.toContain('/sip-trunks');
  });

  it('leaves out entries whose screen does not exist, and categories that are empty by that', () => {
    const shown = visibleMenu(viewer(['can_view_all_roles', 'can_view_time_rules']), new Set(['/home', '/roles']));
    expect(shown.map(({ key, items }) => [key, ...items.map(({ path }) => path)])).toEqual([
      ['common', '/home'],
      ['people', '/roles'],
    ]);
  });

  it('is turned on by routes alone', () => {
    for (const path of ['/home', '/users', '/roles', '/groups', '/audit-events', '/emergency-alerts']) expect(screenPaths).toContain(path);
    expect(screenPaths).not.toContain('/nowhere');
  });

  it('has words in both languages for every entry and category', () => {
    for (const words of [en.menu, ru.menu] as Record<string, string>[])
      for (const { key, items } of menu) for (const name of [key, ...items.map((item) => item.key)]) expect(words[name], name).toBeTruthy();
  });
});
