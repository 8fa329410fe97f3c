import { permissionCatalogue, permissionCodes, type PermissionCode } from './permission-catalogue.ts';

/** The six roles a new project starts with. `available` names the roles whose holders and contents they may manage. */
export interface DefaultRole {
  key: 'administrator' | 'dealer' | 'groupAdministrator' | 'propertyManager' | 'concierge' | 'resident';
  name: string;
  permissions: readonly PermissionCode[];
  available: readonly DefaultRole['key'][];
}

const of = (...areas: (keyof typeof permissionCatalogue)[]): PermissionCode[] =>
  areas.flatMap((area) => permissionCatalogue[area] as readonly PermissionCode[]);
const but = (codes: readonly PermissionCode[], ...left: RegExp[]): PermissionCode[] =>
  codes.filter((code) => !left.some((pattern) => pattern.test(code)));

const projectWide = [/_all_/, /_all$/, /_root_/];
const residentCodes: PermissionCode[] = [
  'can_edit_profile',
  'can_view_own_identifiers',
  'can_create_guest_identifiers',
  'can_view_conversations',
  'can_create_conversations',
  'can_create_conversation_messages',
  'can_view_own_amenities',
  'can_view_domain_amenities',
  'can_view_own_amenity_reservations',
  'can_create_own_amenity_reservations',
  'can_edit_own_amenity_reservations',
  'can_cancel_own_amenity_reservations',
  'can_call_own_group',
  'can_call_panel',
];

export const defaultRoles: readonly DefaultRole[] = [
  {
    key: 'administrator',
    name: 'Administrator',
    permissions: permissionCodes,
    available: ['administrator', 'dealer', 'groupAdministrator', 'propertyManager', 'concierge', 'resident'],
  },
  {
    key: 'dealer',
    name: 'Dealer',
    permissions: [
      ...but(
        of(
          'groups',
          'roles',
          'users',
          'devices',
          'elevators',
          'elevatorAccessRules',
          'schedules',
          'accessRules',
          'forwardRules',
          'markers',
          'identifiers',
          'virtualNumbers',
          'calls',
          'sipTrunks',
          'licences',
        ),
        ...projectWide,
        /grant_more/,
        /concierge/,
      ),
      'can_view_all_groups',
      'can_view_all_users',
      'can_view_audit_events',
      'can_view_system_info',
    ],
    available: ['groupAdministrator', 'propertyManager', 'concierge', 'resident'],
  },
  {
    key: 'groupAdministrator',
    name: 'Group administrator',
    permissions: [
      ...but(
        of(
          'groups',
          'roles',
          'users',
          'devices',
          'elevators',
          'elevatorAccessRules',
          'schedules',
          'accessRules',
          'forwardRules',
          'markers',
          'identifiers',
          'ukey2',
          'conversations',
          'announces',
          'virtualNumbers',
          'calls',
          'emergencyAlerts',
          'amenities',
          'reservations',
          'reservationLog',
          'sipTrunks',
        ),
        ...projectWide,
        /grant_more/,
        /mark_sip_numbers_system/,
        /like_concierge|as_concierge/,
      ),
      'can_edit_all_users',
      'can_view_licenses',
      'can_manage_own_domain_licenses',
      'can_manage_descendant_licenses',
      'can_view_access_control_events',
    ],
    available: ['propertyManager', 'concierge', 'resident'],
  },
  {
    key: 'propertyManager',
    name: 'Property manager',
    permissions: [
      ...but(
        of(
          'users',
          'schedules',
          'accessRules',
          'markers',
          'identifiers',
          'conversations',
          'announces',
          'amenities',
          'reservations',
          'reservationLog',
        ),
        ...projectWide,
      ),
      'can_edit_all_users',
      'can_view_users_roles',
      'can_view_roles',
      'can_edit_users_role',
      'can_manage_own_group_users',
      'can_manage_own_group_guest_access',
      'can_view_own_group_devices',
      'can_view_descendant_devices',
      'can_view_device_events',
      'can_view_access_control_events',
      'can_view_own_group_calls',
      'can_call_own_group',
      'can_call_descendants',
      'can_call_panel',
    ],
    available: ['resident'],
  },
  {
    key: 'concierge',
    name: 'Concierge',
    permissions: [
      ...but(of('announces', 'conversations'), ...projectWide, /delete/),
      'can_edit_profile',
      'can_view_users',
      'can_view_own_group_devices',
      'can_view_descendant_devices',
      'can_view_device_events',
      'can_view_device_heartbeat',
      'can_view_device_alarms',
      'can_process_device_alarms',
      'can_view_elevators',
      'can_view_emergency_alerts',
      'can_playback_emergency_alerts',
      'can_view_access_control_events',
      'can_view_sip_numbers',
      'can_view_descendant_sip_numbers',
      'can_view_own_group_calls',
      'can_view_descendant_calls',
      'can_view_panel_calls',
      'can_call_own_group',
      'can_call_descendants',
      'can_call_panel',
      'can_intercept_call_like_concierge',
      'can_receive_call_as_concierge',
      'can_create_guest_identifiers',
    ],
    available: [],
  },
  { key: 'resident', name: 'Resident', permissions: residentCodes, available: [] },
];
