import { type Feature, licensed } from '#models/licence-info.ts';
import type { PermissionCode } from '#models/permission-catalogue.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';

/** One entry of the side menu (spec A2.2): where it leads, and what a person needs to see it. */
export interface MenuItem {
  /** Its words: `interface.menu.<key>`. */
  key: string;
  path: `/${string}`;
  icon: `pi-${string}`;
  /** Any one of these; no code for an entry that everybody sees. */
  permissions?: readonly PermissionCode[];
  /** All of these, each by the server's licence and by the person's own flag. */
  features?: readonly Feature[];
}
export interface MenuCategory {
  key: string;
  items: readonly MenuItem[];
}

const anyScope = <Noun extends string>(noun: Noun) =>
  [`can_view_own_${noun}`, `can_view_domain_${noun}`, `can_view_descendants_${noun}`, `can_view_all_${noun}`] as const;

/**
 * The whole menu, screens that do not exist yet included: which of them are shown is the routes' one switch. Where the spec
 * names no rule, an entry follows the view rule of its area in the catalogue: one that only refuses helps nobody.
 */
export const menu: readonly MenuCategory[] = [
  {
    key: 'common',
    items: [
      { key: 'home', path: '/home', icon: 'pi-home' },
      { key: 'notifications', path: '/notifications', icon: 'pi-bell' },
    ],
  },
  {
    key: 'reports',
    items: [{ key: 'reports-licenses', path: '/reports/licenses', icon: 'pi-chart-bar', permissions: ['can_view_licenses_used_report'] }],
  },
  {
    key: 'people',
    items: [
      { key: 'users', path: '/users', icon: 'pi-users' },
      { key: 'roles', path: '/roles', icon: 'pi-id-card', permissions: ['can_view_roles', 'can_view_users_roles', 'can_view_all_roles'] },
      { key: 'groups', path: '/groups', icon: 'pi-sitemap' },
    ],
  },
  {
    key: 'access',
    items: [
      { key: 'guest-access', path: '/guest-access', icon: 'pi-user-plus', permissions: ['can_create_guest_identifiers'], features: ['guests'] },
      { key: 'schedules', path: '/schedules', icon: 'pi-calendar', permissions: ['can_view_time_rules'] },
      { key: 'access-rules', path: '/access-rules', icon: 'pi-lock-open', permissions: ['can_view_access_rules'] },
      { key: 'identifiers', path: '/identifiers', icon: 'pi-key', permissions: anyScope('identifiers') },
      { key: 'ukey2', path: '/ukey2', icon: 'pi-mobile', permissions: ['can_view_ukey2'], features: ['ukey2'] },
      { key: 'access-matrix', path: '/access-matrix', icon: 'pi-table', permissions: ['can_view_access_rules'] },
      { key: 'access-control-events', path: '/access-control/events', icon: 'pi-shield', permissions: ['can_view_access_control_events'] },
    ],
  },
  {
    key: 'communications',
    items: [
      {
        key: 'conversations',
        path: '/conversations',
        icon: 'pi-comments',
        permissions: ['can_view_conversations', 'can_view_descendant_conversations', 'can_view_all_conversations'],
      },
      { key: 'announces', path: '/announces', icon: 'pi-megaphone', permissions: ['can_view_announces'] },
      { key: 'announces-response', path: '/announces/response', icon: 'pi-reply', permissions: ['can_view_announces'] },
    ],
  },
  {
    key: 'reservation',
    items: [
      { key: 'amenities', path: '/amenities', icon: 'pi-star', permissions: anyScope('amenities'), features: ['amenity'] },
      {
        key: 'amenity-reservations',
        path: '/amenities/reservations',
        icon: 'pi-calendar-plus',
        permissions: anyScope('amenity_reservations'),
        features: ['amenity'],
      },
    ],
  },
  {
    key: 'emergency',
    items: [
      { key: 'device-alarms', path: '/devices/alarms', icon: 'pi-exclamation-triangle', permissions: ['can_view_device_alarms'] },
      { key: 'alarm-calls', path: '/devices/alarms-calls', icon: 'pi-phone', permissions: ['can_view_device_alarms'] },
      { key: 'emergency-alerts', path: '/emergency-alerts', icon: 'pi-volume-up', permissions: ['can_view_emergency_alerts'] },
    ],
  },
  {
    key: 'phone',
    items: [
      { key: 'virtual-numbers', path: '/virtual-numbers', icon: 'pi-hashtag', features: ['sip'] },
      { key: 'call-history', path: '/call-history', icon: 'pi-history', features: ['sip'] },
      { key: 'forward-rules', path: '/forward-rules', icon: 'pi-directions', permissions: ['can_view_forward_rules'], features: ['sip'] },
      {
        key: 'sip-trunks',
        path: '/sip-trunks',
        icon: 'pi-share-alt',
        permissions: [...anyScope('sip_trunks'), 'can_manage_own_group_sip_trunks'],
        features: ['sip', 'sipTrunks'],
      },
    ],
  },
  {
    key: 'device-management',
    items: [
      { key: 'devices', path: '/devices', icon: 'pi-tablet', permissions: ['can_view_descendant_devices', 'can_view_all_devices'] },
      { key: 'device-events', path: '/devices/events', icon: 'pi-list', permissions: ['can_view_device_events'] },
      { key: 'device-tasks', path: '/devices/tasks', icon: 'pi-list-check', permissions: ['can_view_device_tasks'] },
    ],
  },
  {
    key: 'elevator-management',
    items: [
      {
        key: 'elevators',
        path: '/elevators',
        icon: 'pi-sort-alt',
        permissions: ['can_view_elevators', 'can_view_all_elevators'],
        features: ['elevator'],
      },
      {
        key: 'elevator-events',
        path: '/elevators/events',
        icon: 'pi-list',
        permissions: ['can_view_elevators', 'can_view_all_elevators'],
        features: ['elevator'],
      },
      {
        key: 'elevator-access-rules',
        path: '/elevators/access-rules',
        icon: 'pi-lock',
        permissions: ['can_view_elevator_access_rules', 'can_view_all_elevator_access_rules'],
        features: ['elevator'],
      },
    ],
  },
  {
    key: 'settings',
    items: [
      { key: 'audit-events', path: '/audit-events', icon: 'pi-history', permissions: ['can_view_audit_events'] },
      { key: 'backups', path: '/backups', icon: 'pi-database', permissions: ['can_view_backups'] },
      {
        key: 'general-settings',
        path: '/general-settings',
        icon: 'pi-cog',
        permissions: [
          'can_view_project_settings',
          'can_change_project_settings',
          'can_manage_company_information',
          'can_view_markers',
          'can_view_all_markers',
          'can_import_device_backup',
        ],
      },
      { key: 'licenses', path: '/licenses', icon: 'pi-verified', permissions: ['can_view_licenses', 'can_manage_licenses'] },
      { key: 'system-info', path: '/system-info', icon: 'pi-info-circle', permissions: ['can_view_system_info'] },
    ],
  },
];

/** What a person must be known by for the menu to be drawn. */
export type Viewer = Pick<Profile, 'role' | 'features' | 'license_info'>;

const mayEnter = ({ role, features, license_info }: Viewer, item: MenuItem): boolean =>
  (!item.permissions || hasPermission({ permissions: role?.permissions ?? [] }, ...item.permissions)) &&
  (item.features ?? []).every((feature) => licensed(feature, features, license_info));

/** The menu as one person sees it: entries with a screen that they may open; categories left empty by that are gone. */
export function visibleMenu(viewer: Viewer, paths: ReadonlySet<string>): MenuCategory[] {
  return menu
    .map(({ key, items }) => ({ key, items: items.filter((item) => paths.has(item.path) && mayEnter(viewer, item)) }))
    .filter(({ items }) => items.length > 0);
}
