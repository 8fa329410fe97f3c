/**
 * The catalogue of permissions (spec A6): every code by area, and for each area and verb which code opens how wide a
 * scope. Menu, actions and the server's routes all read this one table; what is not in it is denied.
 */
const scoped = ['own', 'domain', 'descendants', 'all'] as const;

export const permissionCatalogue = {
  project: ['can_view_project_settings', 'can_change_project_settings', 'can_manage_company_information', 'can_import_device_backup'],
  groups: [
    'can_view_all_groups',
    'can_create_root_group',
    'can_create_descendant_group',
    'can_delete_own_group',
    'can_delete_all_groups',
    'can_edit_descendant_groups',
    'can_edit_all_groups',
    'can_manage_own_group_general',
    'can_manage_own_group_users',
    'can_manage_own_group_access_rules',
    'can_manage_own_group_devices',
    'can_manage_own_group_forward_settings',
    'can_manage_own_group_guest_access',
    'can_manage_own_group_sip_trunks',
    'can_manage_own_group_notifications',
    'can_manage_own_group_white_label',
    'can_manage_own_group_mail_templates',
    'can_manage_own_group_integrations',
  ],
  roles: [
    'can_view_roles',
    'can_view_users_roles',
    'can_view_all_roles',
    'can_create_roles',
    'can_edit_roles',
    'can_edit_available_roles',
    'can_edit_users_role',
    'can_edit_all_roles',
    'can_delete_roles',
    'can_delete_available_roles',
    'can_delete_all_roles',
    'can_grant_more_than_own',
  ],
  users: ['can_view_users', 'can_view_all_users', 'can_create_users', 'can_edit_profile', 'can_edit_all_users', 'can_delete_users'],
  devices: [
    'can_view_own_group_devices',
    'can_view_descendant_devices',
    'can_view_all_devices',
    'can_create_devices',
    'can_edit_devices',
    'can_delete_devices',
    'can_view_device_tasks',
    'can_view_device_heartbeat',
    'can_view_device_events',
    'can_view_device_alarms',
    'can_process_device_alarms',
    'can_delete_device_alarms',
  ],
  elevators: ['can_view_elevators', 'can_view_all_elevators', 'can_create_elevators', 'can_edit_elevators', 'can_delete_elevators'],
  elevatorAccessRules: [
    'can_view_elevator_access_rules',
    'can_view_all_elevator_access_rules',
    'can_create_elevator_access_rules',
    'can_edit_elevator_access_rules',
    'can_delete_elevator_access_rules',
  ],
  schedules: ['can_view_time_rules', 'can_create_time_rules', 'can_edit_time_rules', 'can_delete_time_rules'],
  accessRules: ['can_view_access_rules', 'can_create_access_rules', 'can_edit_access_rules', 'can_delete_access_rules'],
  forwardRules: ['can_view_forward_rules', 'can_create_forward_rules', 'can_edit_forward_rules', 'can_delete_forward_rules'],
  markers: ['can_view_markers', 'can_view_all_markers', 'can_create_markers', 'can_edit_markers', 'can_delete_markers', 'can_apply_markers_to_user'],
  identifiers: [
    'can_view_own_identifiers',
    'can_view_domain_identifiers',
    'can_view_descendants_identifiers',
    'can_view_all_identifiers',
    'can_create_identifiers',
    'can_edit_identifiers',
    'can_delete_identifiers',
    'can_create_guest_identifiers',
    'can_import_identifiers',
    'can_export_identifiers',
  ],
  ukey2: ['can_view_ukey2', 'can_issue_ukey2', 'can_revoke_ukey2'],
  conversations: [
    'can_view_conversations',
    'can_view_descendant_conversations',
    'can_view_all_conversations',
    'can_send_conversations_to_all',
    'can_create_conversations',
    'can_create_conversation_messages',
    'can_delete_conversations',
    'can_accept_conversations_from_descendant_users',
  ],
  announces: [
    'can_view_announces',
    'can_view_all_announces',
    'can_create_announces',
    'can_edit_announces',
    'can_delete_announces',
    'can_send_announces',
  ],
  backups: [
    'can_view_backups',
    'can_create_backups',
    'can_delete_backups',
    'can_apply_backups',
    'can_apply_backups_from_file',
    'can_download_backups',
  ],
  virtualNumbers: [
    'can_view_sip_numbers',
    'can_view_descendant_sip_numbers',
    'can_view_all_sip_numbers',
    'can_create_sip_numbers',
    'can_edit_sip_numbers',
    'can_delete_sip_numbers',
    'can_activate_sip_numbers',
    'can_mark_sip_numbers_system',
  ],
  calls: [
    'can_view_own_group_calls',
    'can_view_descendant_calls',
    'can_view_all_calls',
    'can_view_panel_calls',
    'can_call_own_group',
    'can_call_descendants',
    'can_call_all',
    'can_call_panel',
    'can_intercept_call_like_concierge',
    'can_receive_call_as_concierge',
  ],
  emergencyAlerts: [
    'can_view_emergency_alerts',
    'can_create_emergency_alerts',
    'can_edit_emergency_alerts',
    'can_delete_emergency_alerts',
    'can_playback_emergency_alerts',
  ],
  licences: [
    'can_view_licenses',
    'can_manage_licenses',
    'can_manage_user_licenses',
    'can_manage_own_domain_licenses',
    'can_manage_descendant_licenses',
    'can_manage_all_domain_licenses',
    'can_edit_license_counts',
    'can_view_licenses_used_report',
  ],
  system: ['can_view_system_info', 'can_view_audit_events', 'can_view_access_control_events', 'can_manage_group_types'],
  amenities: [
    ...withScopes('view', 'amenities'),
    ...withScopes('create', 'amenities'),
    ...withScopes('edit', 'amenities'),
    ...withScopes('delete', 'amenities'),
  ],
  reservations: [
    ...withScopes('view', 'amenity_reservations'),
    ...withScopes('create', 'amenity_reservations'),
    ...withScopes('edit', 'amenity_reservations'),
    ...withScopes('cancel', 'amenity_reservations'),
  ],
  reservationLog: withScopes('view', 'amenity_reservation_log'),
  sipTrunks: [
    ...withScopes('view', 'sip_trunks'),
    ...withScopes('create', 'sip_trunks'),
    ...withScopes('edit', 'sip_trunks'),
    ...withScopes('delete', 'sip_trunks'),
  ],
} as const;

function withScopes<Verb extends string, Noun extends string>(verb: Verb, noun: Noun) {
  return scoped.map((scope) => `can_${verb}_${scope}_${noun}` as const);
}

export type PermissionArea = keyof typeof permissionCatalogue;
export type PermissionCode = (typeof permissionCatalogue)[PermissionArea][number];
export const permissionCodes: readonly PermissionCode[] = Object.values(permissionCatalogue).flat();
export const isPermission = (code: string): code is PermissionCode => (permissionCodes as readonly string[]).includes(code);

/**
 * How far a permission reaches. `own`: rows one created (or, of users, oneself) · `domain`: rows of one's own groups ·
 * `below`: rows of groups strictly inside one's own · `descendants`: `domain` and `below` together · `all`: the project ·
 * `available`: roles in one's role's available_roles · `held`: roles held by users one may view · `seen`: rows of devices one may view.
 */
export type Scope = 'own' | 'domain' | 'below' | 'descendants' | 'all' | 'available' | 'held' | 'seen';
export type Verb = 'view' | 'create' | 'edit' | 'delete';

/** A rule opens a scope to holders of a code, or to everybody signed in where no code is named. */
interface Rule {
  scope: Scope;
  code?: PermissionCode;
}
type AreaRules = Record<Verb, readonly Rule[]>;

const own = { scope: 'own' } as const;
/** Areas whose rows belong to groups and that the spec gives plain create, edit, delete, view codes. */
const plain = (view: PermissionCode, create: PermissionCode, edit: PermissionCode, remove: PermissionCode, viewAll?: PermissionCode): AreaRules => ({
  view: [own, { scope: 'descendants', code: view }, ...(viewAll ? [{ scope: 'all', code: viewAll } as const] : [])],
  create: [{ scope: 'all', code: create }],
  edit: [{ scope: 'all', code: edit }],
  delete: [{ scope: 'all', code: remove }],
});

/**
 * Area (as on the wire) → verb → rules. Create, edit and delete never reach beyond view, so `all` there reads "all
 * one may view".
 */
export const areaRules = {
  groups: {
    view: [{ scope: 'descendants' }, { scope: 'all', code: 'can_view_all_groups' }],
    create: [
      { scope: 'descendants', code: 'can_create_descendant_group' },
      { scope: 'all', code: 'can_create_root_group' },
    ],
    edit: [
      { scope: 'domain', code: 'can_manage_own_group_general' },
      { scope: 'domain', code: 'can_manage_own_group_users' },
      { scope: 'domain', code: 'can_manage_own_group_devices' },
      { scope: 'domain', code: 'can_manage_own_group_guest_access' },
      { scope: 'domain', code: 'can_manage_own_group_notifications' },
      { scope: 'domain', code: 'can_manage_own_group_white_label' },
      { scope: 'domain', code: 'can_manage_own_domain_licenses' },
      { scope: 'below', code: 'can_manage_descendant_licenses' },
      { scope: 'all', code: 'can_manage_all_domain_licenses' },
      { scope: 'below', code: 'can_edit_descendant_groups' },
      { scope: 'all', code: 'can_edit_all_groups' },
    ],
    delete: [
      { scope: 'own', code: 'can_delete_own_group' },
      { scope: 'all', code: 'can_delete_all_groups' },
    ],
  },
  'group-types': {
    view: [{ scope: 'all' }],
    create: [{ scope: 'all', code: 'can_manage_group_types' }],
    edit: [{ scope: 'all', code: 'can_manage_group_types' }],
    delete: [{ scope: 'all', code: 'can_manage_group_types' }],
  },
  users: {
    view: [own, { scope: 'descendants', code: 'can_view_users' }, { scope: 'all', code: 'can_view_all_users' }],
    create: [{ scope: 'all', code: 'can_create_users' }],
    edit: [own, { scope: 'all', code: 'can_edit_all_users' }],
    delete: [{ scope: 'all', code: 'can_delete_users' }],
  },
  roles: {
    view: [
      own,
      { scope: 'available', code: 'can_view_roles' },
      { scope: 'held', code: 'can_view_users_roles' },
      { scope: 'all', code: 'can_view_all_roles' },
    ],
    create: [{ scope: 'all', code: 'can_create_roles' }],
    edit: [
      { scope: 'own', code: 'can_edit_roles' },
      { scope: 'available', code: 'can_edit_available_roles' },
      { scope: 'all', code: 'can_edit_all_roles' },
    ],
    delete: [
      { scope: 'own', code: 'can_delete_roles' },
      { scope: 'available', code: 'can_delete_available_roles' },
      { scope: 'all', code: 'can_delete_all_roles' },
    ],
  },
  markers: plain('can_view_markers', 'can_create_markers', 'can_edit_markers', 'can_delete_markers', 'can_view_all_markers'),
  'audit-events': { view: [{ scope: 'all', code: 'can_view_audit_events' }], create: [], edit: [], delete: [] },
  devices: {
    view: [
      own,
      { scope: 'domain', code: 'can_view_own_group_devices' },
      { scope: 'descendants', code: 'can_view_descendant_devices' },
      { scope: 'all', code: 'can_view_all_devices' },
    ],
    create: [{ scope: 'all', code: 'can_create_devices' }],
    edit: [{ scope: 'all', code: 'can_edit_devices' }],
    delete: [{ scope: 'all', code: 'can_delete_devices' }],
  },
  // Stopping and trying again is for those who may change the device.
  'device-tasks': {
    view: [{ scope: 'seen', code: 'can_view_device_tasks' }],
    create: [],
    edit: [{ scope: 'seen', code: 'can_edit_devices' }],
    delete: [],
  },
  'device-events': { view: [{ scope: 'seen', code: 'can_view_device_events' }], create: [], edit: [], delete: [] },
  'device-alarms': {
    view: [{ scope: 'seen', code: 'can_view_device_alarms' }],
    create: [],
    edit: [{ scope: 'all', code: 'can_process_device_alarms' }],
    delete: [{ scope: 'all', code: 'can_delete_device_alarms' }],
  },
  'alarm-calls': { view: [{ scope: 'seen', code: 'can_view_device_alarms' }], create: [], edit: [], delete: [] },
} as const satisfies Record<string, AreaRules>;
export type RuledArea = keyof typeof areaRules;

/** Who asks: the codes of the role, and the ids that scopes are measured by. */
export interface Actor {
  id: string;
  permissions: readonly string[];
  domains: readonly string[];
}
/** What is asked about, as far as the asker knows it. */
export interface Subject {
  id?: string;
  created_by?: string | null;
  /** Ids of the groups the row belongs to; of a group, its own id. */
  domains?: readonly string[];
}

export const holds = (actor: Pick<Actor, 'permissions'>, ...codes: PermissionCode[]): boolean =>
  codes.some((code) => actor.permissions.includes(code));

/** The scopes a verb reaches in an area; empty is a refusal. */
export function scopesOf(actor: Pick<Actor, 'permissions'>, verb: Verb, area: RuledArea): Scope[] {
  const rules: readonly Rule[] = areaRules[area][verb];
  return [...new Set(rules.filter(({ code }) => !code || actor.permissions.includes(code)).map(({ scope }) => scope))];
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
