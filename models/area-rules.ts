import type { AreaName } from './areas.ts';
import { type PermissionCode, scoped } from './permission-catalogue.ts';

/**
 * How far a permission reaches. `own`: rows one created (or, of users, oneself) · `domain`: rows of one's own groups ·
 * `below`: rows of groups strictly inside one's own · `descendants`: `domain` and `below` together · `all`: the project ·
 * `available`: roles in one's role's available_roles · `held`: roles held by users one may view · `seen`: rows of devices one may view ·
 * `project`: rows of the project itself, of no group · `grouped`: rows of any group · `above`: rows of one's own groups and of those above them.
 */
export type Scope = 'own' | 'domain' | 'below' | 'descendants' | 'all' | 'available' | 'held' | 'seen' | 'project' | 'grouped' | 'above';
export type Verb = 'view' | 'create' | 'edit' | 'delete';

/** A rule opens a scope to holders of a code (and of the others it asks for), or to everybody signed in where no code is named. */
export interface Rule {
  scope: Scope;
  code?: PermissionCode;
  besides?: readonly PermissionCode[];
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

/** Those of the project are for who changes its settings, those of a group for who edits the group so far (INTG-03). */
const ofProjectOrGroup = [
  { scope: 'project', code: 'can_change_project_settings' },
  { scope: 'domain', code: 'can_manage_own_group_integrations' },
  { scope: 'below', code: 'can_edit_descendant_groups' },
  { scope: 'grouped', code: 'can_edit_all_groups' },
] as const;

const trunksOfOwnGroup = { scope: 'domain', code: 'can_manage_own_group_sip_trunks' } as const;

/** The same for mail templates (PERM-08, PERM-09). */
const templatesOf = [
  { scope: 'project', code: 'can_change_project_settings' },
  { scope: 'domain', code: 'can_manage_own_group_mail_templates' },
  { scope: 'below', code: 'can_edit_descendant_groups' },
  { scope: 'grouped', code: 'can_edit_all_groups' },
] as const;

/**
 * For each area and verb which code opens how wide a scope: menu, actions and the server's routes all read this one table.
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
      { scope: 'domain', code: 'can_manage_own_group_access_rules' },
      { scope: 'domain', code: 'can_manage_own_group_devices' },
      { scope: 'domain', code: 'can_manage_own_group_forward_settings' },
      { scope: 'domain', code: 'can_manage_own_group_mail_templates' },
      { scope: 'domain', code: 'can_manage_own_group_guest_access' },
      { scope: 'domain', code: 'can_manage_own_group_notifications' },
      { scope: 'domain', code: 'can_manage_own_group_integrations' },
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
  // What somebody did themselves, what concerned their groups, and everything only for those who see all groups and people anyway.
  'audit-events': {
    view: [
      { scope: 'own', code: 'can_view_audit_events' },
      { scope: 'descendants', code: 'can_view_audit_events' },
      { scope: 'all', code: 'can_view_audit_events', besides: ['can_view_all_groups', 'can_view_all_users'] },
    ],
    create: [],
    edit: [],
    delete: [],
  },
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
  'access-control-events': { view: [{ scope: 'seen', code: 'can_view_access_control_events' }], create: [], edit: [], delete: [] },
  'device-alarms': {
    view: [{ scope: 'seen', code: 'can_view_device_alarms' }],
    create: [],
    edit: [{ scope: 'all', code: 'can_process_device_alarms' }],
    delete: [{ scope: 'all', code: 'can_delete_device_alarms' }],
  },
  'alarm-calls': { view: [{ scope: 'seen', code: 'can_view_device_alarms' }], create: [], edit: [], delete: [] },
  // Everybody sees their own number; whoever sees those of a tree sees the free ones too, to give them out.
  'sip-numbers': {
    view: [
      own,
      { scope: 'domain', code: 'can_view_sip_numbers' },
      { scope: 'descendants', code: 'can_view_descendant_sip_numbers' },
      { scope: 'all', code: 'can_view_all_sip_numbers' },
    ],
    create: [{ scope: 'all', code: 'can_create_sip_numbers' }],
    edit: [{ scope: 'all', code: 'can_edit_sip_numbers' }],
    delete: [{ scope: 'all', code: 'can_delete_sip_numbers' }],
  },
  'forward-rules': {
    view: [{ scope: 'all', code: 'can_view_forward_rules' }],
    create: [{ scope: 'all', code: 'can_create_forward_rules' }],
    edit: [{ scope: 'all', code: 'can_edit_forward_rules' }],
    delete: [{ scope: 'all', code: 'can_delete_forward_rules' }],
  },
  // Hours say nothing of anybody.
  schedules: {
    view: [{ scope: 'all', code: 'can_view_time_rules' }],
    create: [{ scope: 'all', code: 'can_create_time_rules' }],
    edit: [{ scope: 'all', code: 'can_edit_time_rules' }],
    delete: [{ scope: 'all', code: 'can_delete_time_rules' }],
  },
  // Rules about one's groups, their devices and people; all for those who see all devices and groups anyway.
  'access-rules': {
    view: [
      own,
      { scope: 'descendants', code: 'can_view_access_rules' },
      { scope: 'all', code: 'can_view_access_rules', besides: ['can_view_all_groups', 'can_view_all_devices'] },
    ],
    create: [{ scope: 'all', code: 'can_create_access_rules' }],
    edit: [{ scope: 'all', code: 'can_edit_access_rules' }],
    delete: [{ scope: 'all', code: 'can_delete_access_rules' }],
  },
  'elevator-events': {
    view: [
      { scope: 'seen', code: 'can_view_elevators' },
      { scope: 'seen', code: 'can_view_all_elevators' },
    ],
    create: [],
    edit: [],
    delete: [],
  },
  elevators: plain('can_view_elevators', 'can_create_elevators', 'can_edit_elevators', 'can_delete_elevators', 'can_view_all_elevators'),
  'elevator-access-rules': plain(
    'can_view_elevator_access_rules',
    'can_create_elevator_access_rules',
    'can_edit_elevator_access_rules',
    'can_delete_elevator_access_rules',
    'can_view_all_elevator_access_rules',
  ),
  // What a house has is seen by everybody who lives in it, and looked after by those of its own group.
  amenities: {
    view: [
      ...scoped.map((scope) => ({ scope, code: `can_view_${scope}_amenities` }) as const),
      { scope: 'above', code: 'can_view_domain_amenities' },
    ],
    create: scoped.map((scope) => ({ scope, code: `can_create_${scope}_amenities` }) as const),
    edit: scoped.map((scope) => ({ scope, code: `can_edit_${scope}_amenities` }) as const),
    delete: scoped.map((scope) => ({ scope, code: `can_delete_${scope}_amenities` }) as const),
  },
  // Of the people of one's groups, whoever made them. Whoever cancels those of others may take them off the list too; of one's own the list keeps all.
  'amenity-reservations': {
    view: scoped.map((scope) => ({ scope, code: `can_view_${scope}_amenity_reservations` }) as const),
    create: scoped.map((scope) => ({ scope, code: `can_create_${scope}_amenity_reservations` }) as const),
    edit: scoped.map((scope) => ({ scope, code: `can_edit_${scope}_amenity_reservations` }) as const),
    delete: scoped.filter((scope) => scope !== 'own').map((scope) => ({ scope, code: `can_cancel_${scope}_amenity_reservations` }) as const),
  },
  // Those of one's own groups are managed with the groups too (PERM-21).
  'sip-trunks': {
    view: [...scoped.map((scope) => ({ scope, code: `can_view_${scope}_sip_trunks` }) as const), trunksOfOwnGroup],
    create: [...scoped.map((scope) => ({ scope, code: `can_create_${scope}_sip_trunks` }) as const), trunksOfOwnGroup],
    edit: [...scoped.map((scope) => ({ scope, code: `can_edit_${scope}_sip_trunks` }) as const), trunksOfOwnGroup],
    delete: [...scoped.map((scope) => ({ scope, code: `can_delete_${scope}_sip_trunks` }) as const), trunksOfOwnGroup],
  },
  // Own calls are those one made, got or took.
  'call-history': {
    view: [
      own,
      { scope: 'domain', code: 'can_view_own_group_calls' },
      { scope: 'descendants', code: 'can_view_descendant_calls' },
      { scope: 'seen', code: 'can_view_panel_calls' },
      { scope: 'all', code: 'can_view_all_calls' },
    ],
    create: [],
    edit: [],
    delete: [],
  },
  // Whoever may make keys for guests sees, changes and takes back their own; those of others are for who may do so with identifiers.
  'guest-identifiers': {
    view: [
      { scope: 'own', code: 'can_create_guest_identifiers' },
      { scope: 'domain', code: 'can_view_domain_identifiers' },
      { scope: 'descendants', code: 'can_view_descendants_identifiers' },
      { scope: 'all', code: 'can_view_all_identifiers' },
    ],
    create: [{ scope: 'all', code: 'can_create_guest_identifiers' }],
    edit: [
      { scope: 'own', code: 'can_create_guest_identifiers' },
      { scope: 'all', code: 'can_edit_identifiers' },
    ],
    delete: [
      { scope: 'own', code: 'can_create_guest_identifiers' },
      { scope: 'all', code: 'can_delete_identifiers' },
    ],
  },
  // Whoever sets devices up sees the cameras that these may be given.
  integrations: {
    view: [...ofProjectOrGroup, { scope: 'seen', code: 'can_edit_devices' }],
    create: ofProjectOrGroup,
    edit: ofProjectOrGroup,
    delete: ofProjectOrGroup,
  },
  'mail-templates': { view: templatesOf, create: templatesOf, edit: templatesOf, delete: templatesOf },
  'emergency-alerts': plain('can_view_emergency_alerts', 'can_create_emergency_alerts', 'can_edit_emergency_alerts', 'can_delete_emergency_alerts'),
  announces: plain('can_view_announces', 'can_create_announces', 'can_edit_announces', 'can_delete_announces', 'can_view_all_announces'),
  // Mobile keys of oneself and the people of one's groups; all for those who see everybody anyway. Revoking is no verb, and none is deleted.
  ukey2: {
    view: [
      { scope: 'own', code: 'can_view_ukey2' },
      { scope: 'descendants', code: 'can_view_ukey2' },
      { scope: 'all', code: 'can_view_ukey2', besides: ['can_view_all_users'] },
    ],
    create: [{ scope: 'all', code: 'can_issue_ukey2' }],
    edit: [{ scope: 'all', code: 'can_issue_ukey2' }],
    delete: [],
  },
  // Own identifiers are those one has, and those one made.
  identifiers: {
    view: [
      { scope: 'own', code: 'can_view_own_identifiers' },
      { scope: 'domain', code: 'can_view_domain_identifiers' },
      { scope: 'descendants', code: 'can_view_descendants_identifiers' },
      { scope: 'all', code: 'can_view_all_identifiers' },
    ],
    create: [{ scope: 'all', code: 'can_create_identifiers' }],
    edit: [{ scope: 'all', code: 'can_edit_identifiers' }],
    delete: [{ scope: 'all', code: 'can_delete_identifiers' }],
  },
} as const satisfies Record<AreaName, AreaRules> & Record<string, AreaRules>;
export type RuledArea = keyof typeof areaRules;
