import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import {
  constants,
  deviceProtocols,
  identifierFormats,
  liftDeviceModes,
  locales,
  mailModes,
  notificationClasses,
  profileDefaults,
  reminderModes,
  timeFormats,
} from '#models/constants.ts';
import { deviceAlarms } from '#models/device-alarms.ts';
import { groups, generatedLevel } from '#models/groups.ts';
import { models } from '#models/index.ts';
import { licenceInfo } from '#models/licence-info.ts';
import { consistencyItem, licenceSettings, licenceStates, licenceStatuses, licenceWarnings } from '#models/licences.ts';
import { historyTypes } from '#models/call-history.ts';
import { forwardRules } from '#models/forward-rules.ts';
import { forwardModes, sipNumbers } from '#models/sip-numbers.ts';
import { sipTrunks } from '#models/sip-trunks.ts';
import { mailEncryptions, mailSettings, mailTypes } from '#models/mail-settings.ts';
import { markers } from '#models/markers.ts';
import { permissionCatalogue, type PermissionArea, permissionCodes } from '#models/permission-catalogue.ts';
import { catalogueMessage, localCodes, statusOf, type WireCode, wireCodes } from '#models/problem.ts';
import { profile } from '#models/profile.ts';
import { generalSettings, logUnits, selfRegistrationSettings } from '#models/project-settings.ts';
import { filterRules, matchModes } from '#models/query.ts';
import { roles } from '#models/roles.ts';
import { sipNetwork, sipSettings } from '#models/sip-settings.ts';
import { mobileClient, users } from '#models/users.ts';
import { makePassword } from '#src/resources/users/make-password.ts';
import { password } from '#models/rules.ts';
import { sipConstants } from '#models/sip.ts';
import { wordless } from './texts.ts';

const root = join(import.meta.dirname, '../..');

/** Clause → code → the message as the specification has it, or as settled where it only describes one. */
const messages: readonly [clause: number, code: WireCode, message: string][] = [
  [13, 'incorrect_login', 'incorrect login/password'],
  [14, 'outdated_link', 'verification link is outdated or incorrect'],
  [15, 'forbidden', "can't perform action"],
  [16, 'wrong_parameters', 'wrong parameters'],
  [17, 'interface_failed', 'error preparing web interface'],
  [18, 'not_found', 'item not found'],
  [19, 'invalid_credentials', 'invalid credentials'],
  [20, 'invalid_token', 'invalid token'],
  [21, 'internal', 'internal server error'],
  [22, 'invalid_data', 'invalid data sent (request validation)'],
  [23, 'prohibited', 'method or action prohibited'],
  [24, 'device_offline', 'device offline, unable to connect'],
  [25, 'device_not_mqtt', 'device protocol is not mqtt, remote control impossible'],
  [26, 'device_protocol_none', 'device protocol is none, cannot be initialised, restarted or synchronised'],
  [27, 'device_unavailable', 'device or service unavailable'],
  [28, 'sip_service_failed', 'error starting the SIP service'],
  [29, 'broker_settings_failed', 'broker settings sending error'],
  [30, 'controller_linked', 'controller already linked to another elevator'],
  [31, 'serial_in_use', 'serial number in use'],
  [32, 'invalid_file', 'invalid file'],
  [33, 'corrupted_file', 'wrong file body or corrupted file'],
  [34, 'invalid_backup_image', 'invalid backup image'],
  [35, 'identifier_not_saved', 'error saving identifier {name}'],
  [36, 'identifier_not_found', 'identifier not found'],
  [37, 'identifier_not_viewable', 'view identifier is not available'],
  [38, 'identifier_exists', 'identifier with this number and type already exists'],
  [39, 'ukey2_not_deletable', 'ukey2 cannot be deleted'],
  [40, 'face_not_recognised', 'face not recognised'],
  [41, 'face_may_not_work', 'face identifier may not work on some new panel models, reload the photo'],
  [42, 'user_needs_email', 'user needs an e-mail for registration'],
  [43, 'user_registered', 'user registered already'],
  [44, 'email_used', 'e-mail already used'],
  [45, 'not_unique', 'value not unique'],
  [46, 'own_number', 'unable to call your number'],
  [47, 'own_conversation', 'user cannot communicate with himself'],
  [48, 'device_has_number', 'device already has virtual number'],
  [49, 'number_is_general', "deletion prohibited while a virtual number is the group's general number"],
  [50, 'number_not_free', 'picked virtual number not free'],
  [51, 'number_not_sent', 'error sending number to the SIP proxy'],
  [52, 'numbers_limit', 'limit reached for total SIP numbers'],
  [52, 'numbers_limit_user', 'limit reached for per-user SIP numbers'],
  [53, 'wrong_old_password', 'wrong old password'],
  [54, 'invite_code_invalid', 'cannot find the user, contact the administrator'],
  [55, 'confirmation_code_invalid', 'self-registration invalid confirmation code'],
  [56, 'template_exists', 'a template of this type already exists'],
  [57, 'limit_exceeded', 'limit exceeded, used {used}, max {max}'],
  [58, 'numbers_over_project', 'maximum virtual numbers of the project exceeded'],
  [59, 'numbers_over_group', 'maximum virtual numbers of the group exceeded'],
  [60, 'apps_over_project', 'maximum mobile apps of the project exceeded'],
  [61, 'apps_over_group', 'maximum mobile apps of the group exceeded'],
  [62, 'ukey2_over_project', 'maximum ukey2 of the project exceeded'],
  [63, 'ukey2_over_group', 'maximum ukey2 of the group exceeded'],
  [64, 'period_conflicts_parent', 'licence period conflicts with parent group'],
  [64, 'period_conflicts_child', 'licence period conflicts with child groups'],
  [65, 'children_over_parent', 'sum of child limits exceeds the parent limit'],
  [66, 'used_over_group', 'used counts greater than group values'],
  [67, 'licence_restricted', "licence restriction in the user's group"],
  [68, 'licence_bad_signature', 'licence has a bad signature'],
  [69, 'licence_not_applicable', 'licence cannot be applied'],
  [70, 'licence_expired', 'licence expired'],
  [71, 'licence_server_silent', 'licence server is not responding'],
  [72, 'licence_none_found', 'no licence found for project'],
  [73, 'licence_instance_registered', 'same instance id already registered'],
  [74, 'licence_expires_in_days', 'the licence expires in {days} days'],
  [74, 'licence_expires_today', 'the licence expires today'],
  [75, 'features_off_in_days', 'features are disabled in {days} days'],
  [75, 'features_off_today', 'features are disabled today'],
  [76, 'domain_address_exists', 'domain with same type and logical address exists'],
  [77, 'guest_passes_limit', 'max passes count limit reached ({max_count})'],
  [78, 'guest_days_limit', 'max days limit reached ({max_days})'],
  [79, 'guest_exists', 'guest identifier exists'],
  [80, 'guest_invalid', 'guest access: invalid identifier'],
  [81, 'guest_expired', 'guest access: expired'],
  [82, 'guest_passes_used', 'guest access: pass limit reached'],
  [83, 'guest_device_problem', 'guest access: device problem'],
  [84, 'guest_device_not_found', 'guest access: device not found'],
  [85, 'reservation_not_editable', 'reservation non-editable'],
  [86, 'reservation_not_cancelable', 'reservation non-cancelable'],
  [87, 'devices_without_qr', 'unsupported devices lacking QR scanning'],
  [88, 'file_not_found', 'file not found'],
  [89, 'active_reservations', 'amenity has active reservations'],
  [90, 'amenity_not_allowed', 'amenity not allowed'],
  [91, 'amenity_not_found', 'amenity not found'],
  [92, 'persons_limit', 'person limits exceeded'],
  [93, 'slot_mismatch', 'time slot mismatch'],
  [94, 'slots_inconsistent', 'inconsistent slots'],
  [95, 'not_in_future', 'date or time must be in the future'],
  [96, 'no_free_places', 'no free places'],
  [97, 'state_not_found', 'amenity state not found'],
  [98, 'editing_prohibited', 'editing prohibited'],
  [99, 'deleting_prohibited', 'deleting prohibited'],
  [100, 'rule_with_unsupported_devices', 'access rule with unsupported devices'],
  [101, 'integration_url_exists', 'integration server with the same URL exists'],
  [102, 'integration_unavailable', 'integration server unavailable'],
  [103, 'grpc_unavailable', 'gRPC unavailable'],
  [104, 'invalid_related', 'invalid related entity sent'],
  [105, 'integration_not_for_user', 'integration not allowed for user'],
  [106, 'integration_not_for_device', 'integration not allowed for device'],
  [107, 'alarm_processed', 'alarm already processed'],
];

/** Answers that the contract adds to the catalogue of the specification. */
const added: readonly [WireCode, number][] = [
  ['not_authorized', 401],
  ['second_factor_invalid', 422],
  ['second_factor_required', 403],
  ['passkey_invalid', 422],
  ['passkey_required', 403],
  ['conflict', 412],
  ['in_use', 409],
  ['too_large', 413],
  ['unsupported_media', 415],
  ['locked_out', 423],
  ['too_many_requests', 429],
  ['unavailable', 503],
  ['storage_full', 507],
  ['key_reused', 409],
  ['alarm_claimed', 409],
  ['reader_busy', 409],
  ['announce_over', 409],
  ['poll_answered', 409],
  ['total_changed', 409],
  ['domain_inconsistent', 409],
  ['wallet_no_certificate', 409],
  ['wallet_certificate_expired', 409],
  ['wallet_not_possible', 409],
];

describe('the error catalogue', () => {
  it.each(messages)('ERR-%i: %s is “%s”', (_clause, code, message) => expect(catalogueMessage(code)).toBe(message));
  it.each(added)('%s is answered with %i', (code, status) => expect(statusOf(code)).toBe(status));
  it.each([
    ['incorrect_login', 401],
    ['invalid_token', 401],
    ['wrong_parameters', 400],
    ['forbidden', 403],
    ['not_found', 404],
    ['not_unique', 409],
    ['email_used', 409],
    ['invalid_data', 422],
    ['internal', 500],
  ] as const)('%s is answered with %i', (code, status) => expect(statusOf(code)).toBe(status));
  it('names every clause from 13 to 107', () => {
    const named = new Set(messages.map(([clause]) => clause));
    expect(Array.from({ length: 95 }, (_, at) => at + 13).filter((clause) => !named.has(clause))).toEqual([]);
  });
  it('holds these messages and no others, each once', () => {
    expect(wireCodes.toSorted()).toEqual([...messages.map(([, code]) => code), ...added.map(([code]) => code)].toSorted());
    expect(new Set(wireCodes.map(catalogueMessage)).size).toBe(wireCodes.length);
  });
  it('says Unauthenticated where a session has ended (AUTH-10)', () => expect(catalogueMessage('not_authorized')).toContain('Unauthenticated'));
  it('knows what goes wrong in the browser (ERR-010 … 012)', () => {
    for (const code of ['chunk_failed', 'no_media_support', 'no_media_devices', 'previewing'] as const) expect(localCodes).toContain(code);
  });
});

describe('the constants of the phone (CONST-14 to CONST-22)', () => {
  const code = ['models', 'machines', 'src', 'server'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((file) => join(folder, String(file)))
      .filter((file) => /\.tsx?$/.test(file) && file !== join('models', 'constants.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8')),
  );
  it.each([
    'registrationRetryAfterError',
    'registrationRetryAfterInvalid',
    'callRemovalDelay',
    'callTimerStep',
    'dialerHistoryPage',
    'sipPort',
    'dtmfOpenDoor',
    'dtmfGeneric',
    'iceGatheringTime',
  ] satisfies (keyof typeof constants)[])('%s is what the product goes by', (key) => {
    expect(code.filter((text) => text.includes(`constants.${key}`)).length).toBeGreaterThan(0);
  });

  it('stand nowhere a second time: what signalling adds is what the specification leaves open', () => {
    expect(Object.keys(sipConstants)).toEqual(['userAgent', 'iceLongest', 'keepAlive', 'keepAliveAnswer', 'doubtAnswer']);
  });
});

describe('the constants', () => {
  it.each<[clause: string, value: unknown, asSpecified: unknown]>([
    ['01', constants.apiTimeout, 30_000],
    ['02', [constants.loginTimeout, calls.signIn.timeout], [3_000, 3_000]],
    ['03', constants.remoteSessionTimeout, 60_000],
    ['04', constants.backupTimeout, 3_600_000],
    ['05', constants.reportTimeout, 300_000],
    ['06', constants.importTimeout, false],
    ['07', constants.chunkTimeout, 120_000],
    ['08', constants.realtimeRetry, 4_000],
    ['09', constants.unreadDebounce, 1_000],
    ['10', constants.markReadDelay, 1_000],
    ['11', constants.consistencyErrorTime, 10_000],
    ['12', constants.alertTime, 3_000],
    ['13', constants.unlimitedLicencePeriod, { from: 0, to: 999_999_999_999 }],
    ['14', constants.registrationRetryAfterError, 5_000],
    ['15', constants.registrationRetryAfterInvalid, 30_000],
    ['16', constants.callRemovalDelay, 5_000],
    ['17', constants.callTimerStep, 1_000],
    ['18', constants.dialerHistoryPage, { page: 1, size: 50 }],
    ['19', constants.sipPort, 8_443],
    ['20', constants.dtmfOpenDoor, 160],
    ['21', constants.dtmfGeneric, 1_000],
    ['22', constants.iceGatheringTime, 200],
    ['23', constants.talkTimeoutSeconds, 120],
    ['24', constants.reregisterIntervalSeconds, 600],
    ['25', constants.relayOpenTimeSeconds, 10],
    ['26', constants.forwardTimeoutSeconds, 10],
    ['27', constants.unnamedForwardTimeoutSeconds, 60],
    ['28', constants.playbackDurationSeconds, 60],
    ['29', constants.slotDurationSeconds, 3_600],
    ['30', constants.persons, { min: 1, max: 500 }],
    ['31', constants.timeRuleSeconds, { from: 9 * 3_600, to: 18 * 3_600 }],
    ['32', constants.nameLength, { min: 1, max: 31 }],
    ['33', constants.devicePasswordLength, { min: 6, max: 31 }],
    ['34', constants.notificationMenuSize, 5],
    ['35', constants.importantStackSize, 3],
    ['36', constants.notificationsPageSize, 20],
    ['37', constants.importantWidth, { min: 300, max: 450 }],
    ['38', constants.licenceNotifications, { mode: 'everyday', notifyBeforeDays: 14 }],
    ['39', constants.dialogWidth, { small: 300, normal: 600, wide: 900 }],
    ['40', constants.drawerWidth, 250],
    ['41', locales, ['en', 'ru']],
    ['42', timeFormats, ['DD-MM-YYYY', 'MM-DD-YYYY', 'YYYY-MM-DD']],
    ['43', profileDefaults.time_zone, 2],
    ['44', [profileDefaults.identifier_format, identifierFormats], ['dec', ['dec', 'hex']]],
    ['45', profileDefaults.autoForwardProtocol, 'UDP'],
    ['46', profileDefaults.locale, 'en'],
    ['47', deviceProtocols, ['http', 'mqtt']],
    ['48', mailModes, ['none', 'smtp']],
    ['49', liftDeviceModes, ['call-down', 'call-up', 'call-up-down']],
    ['51', constants.alertStays, 0],
    ['54', constants.devicePort, 80],
    ['LIC-01', licenceWarnings, ['normal', 'no_license', 'will_expire', 'already_expired']],
    ['LIC-06', licenceStates, ['active', 'ending', 'disabled']],
    ['LIC-07', licenceStatuses.toSorted(), ['active', 'disabled', 'expired', 'pending']],
    ['LIC-09', reminderModes, ['once', 'everyday', 'every_week', 'every_30_days']],
  ])('CONST-%s', (_clause, value, asSpecified) => expect(value).toEqual(asSpecified));
  it('CONST-52: a made password mixes letters of both cases with four digits and two symbols, and is accepted', () => {
    const made = Array.from({ length: 50 }, () => makePassword());
    const odd = made.filter(
      (word) =>
        word.replaceAll(/\D/g, '').length !== 4 ||
        word.replaceAll(/[a-z\d]/gi, '').length !== 2 ||
        !/[a-z]/.test(word) ||
        !/[A-Z]/.test(word) ||
        !password().safeParse(word).success,
    );
    expect(odd).toEqual([]);
    expect(new Set(made).size).toBe(made.length);
  });
  it('CONST-53: every class of notification', () => {
    expect(notificationClasses.toSorted()).toEqual(
      [
        'announce_received',
        'conversation_received',
        'conversation_message_received',
        'announce_status_changed',
        'sip_reboot_started',
        'sip_reboot_completed',
        'device_broker_settings_sent',
        'user_used_identifier_on_device',
        'user_used_revoked_identifier',
        'alarm_enabled',
        'alarm_disabled',
        // Beyond the specification: somebody must hear that a webhook was given up.
        'integration_stopped',
        // That the broker's certificate ends.
        'broker_certificate_ending',
        // And who has a reservation, what others did with it.
        'reservation_canceled',
        'reservation_changed',
        'reservation_reminder',
        // And who has missed a call.
        'call_missed',
        'alarm_processed',
      ].toSorted(),
    );
  });
});

/** Clause → area of the catalogue → what its codes must speak of. */
const permissions: readonly [clause: number, area: PermissionArea, codes: readonly RegExp[]][] = [
  [14, 'project', [/change_project_settings/, /view_project_settings/]],
  [15, 'project', [/company_information/]],
  [16, 'project', [/import_device_backup/]],
  [17, 'groups', [/view_all/]],
  [18, 'groups', [/create_root/, /create_descendant/]],
  [19, 'groups', [/delete_all/, /delete_own/]],
  [20, 'groups', [/edit_all/, /edit_descendant/]],
  [
    21,
    'groups',
    [
      'general',
      'users',
      'access_rules',
      'devices',
      'forward_settings',
      'guest_access',
      'sip_trunks',
      'notifications',
      'white_label',
      'mail_templates',
      'integrations',
    ].map((part) => new RegExp(`^can_manage_own_group_${part}$`)),
  ],
  [22, 'roles', [/^can_view_roles$/, /view_users_roles/, /view_all/]],
  [23, 'roles', [/create/]],
  [24, 'roles', [/^can_edit_roles$/, /edit_available/, /edit_users_role/, /edit_all/]],
  [25, 'roles', [/^can_delete_roles$/, /delete_available/, /delete_all/]],
  [26, 'roles', [/grant_more_than_own/]],
  [27, 'users', [/create/, /delete/, /^can_view_users$/, /view_all/, /edit_profile/, /edit_all/]],
  [28, 'devices', [/create/, /edit/, /delete_devices/]],
  [29, 'devices', [/view_own_group/, /view_descendant/, /view_all/]],
  [30, 'devices', [/view_device_tasks/]],
  [31, 'devices', [/view_device_heartbeat/]],
  [32, 'devices', [/view_device_events/]],
  [33, 'devices', [/process_device_alarms/, /view_device_alarms/, /delete_device_alarms/]],
  [34, 'elevators', [/create/, /edit/, /delete/, /^can_view_elevators$/, /view_all/]],
  [34, 'elevatorAccessRules', [/create/, /edit/, /delete/, /^can_view_elevator_access_rules$/, /view_all/]],
  [35, 'schedules', [/create/, /edit/, /delete/, /view/]],
  [35, 'accessRules', [/create/, /edit/, /delete/, /view/]],
  [35, 'forwardRules', [/create/, /edit/, /delete/, /view/]],
  [36, 'markers', [/^can_view_markers$/, /create/, /edit/, /delete/, /apply_markers_to_user/, /view_all/]],
  [
    37,
    'identifiers',
    [/view_own/, /view_domain/, /view_descendants/, /view_all/, /create_identifiers/, /edit/, /delete/, /create_guest/, /import/, /export/],
  ],
  [38, 'ukey2', [/view/, /issue/, /revoke/]],
  [39, 'conversations', [/^can_view_conversations$/, /view_all/, /view_descendant/]],
  [40, 'conversations', [/send_conversations_to_all/, /create_conversations/, /create_conversation_messages/, /delete/, /accept_.*descendant_users/]],
  [41, 'announces', [/create/, /edit/, /delete/, /send/, /^can_view_announces$/, /view_all/]],
  [42, 'backups', [/create/, /delete/, /view/, /^can_apply_backups$/, /from_file/, /download/]],
  [43, 'virtualNumbers', [/create/, /edit/, /delete/, /activate/, /mark_.*system/, /^can_view_sip_numbers$/, /view_all/, /view_descendant/]],
  [44, 'calls', [/view_all/, /view_own_group/, /view_descendant/, /view_panel/, /call_all/, /call_own_group/, /call_descendants/, /call_panel/]],
  [45, 'calls', [/^can_intercept_call_like_concierge$/]],
  [46, 'calls', [/receive_call_as_concierge/]],
  [47, 'emergencyAlerts', [/view/, /create/, /edit/, /delete/, /playback/]],
  [48, 'licences', [/view_licenses$/, /manage_licenses$/, /user/, /own_domain/, /descendant/, /all_domain/, /counts/]],
  [49, 'licences', [/used_report/]],
  [50, 'system', [/system_info/, /audit/, /access_control_events/, /group_types/]],
  [51, 'amenities', [/_all_/, /_domain_/, /_descendants_/, /_own_/]],
  [52, 'reservations', [/_all_/, /_domain_/, /_descendants_/, /_own_/]],
  [53, 'reservationLog', [/_all_/, /_domain_/, /_descendants_/, /_own_/]],
  [54, 'sipTrunks', [/_all_/, /_domain_/, /_descendants_/, /_own_/]],
];

describe('the permission catalogue', () => {
  it.each(permissions)('PERM-%i: %s', (_clause, area, patterns) => {
    const codes: readonly string[] = permissionCatalogue[area];
    expect(patterns.filter((pattern) => !codes.some((code) => pattern.test(code)))).toEqual([]);
  });
  it('PERM-01: holds codes of the form can_…, each once', () => {
    expect(permissionCodes.filter((code) => !/^can_[a-z0-9_]+$/.test(code))).toEqual([]);
    expect(new Set(permissionCodes).size).toBe(permissionCodes.length);
  });
  it('has no area that no clause asks for', () => {
    const asked = new Set(permissions.map(([, area]) => area));
    expect(Object.keys(permissionCatalogue).filter((area) => !asked.has(area as PermissionArea))).toEqual([]);
  });
});

/** Clause → key below `validation`. Clauses 64 and 67 to 72 are behaviour, or speak with words of the interface. */
const validation: readonly [clause: number, rule: string][] = [
  [1, 'max_length'],
  [2, 'min_length'],
  [3, 'required'],
  [4, 'email'],
  [5, 'url_or_ip'],
  [6, 'ip_with_prefix'],
  [7, 'ip'],
  [8, 'number'],
  [9, 'number_or_hex'],
  [10, 'numeric'],
  [11, 'alphanumeric'],
  [12, 'slug'],
  [13, 'slug_or_backslash'],
  [14, 'between'],
  [15, 'greater'],
  [16, 'less'],
  [17, 'greater_or_equal'],
  [18, 'between_values'],
  [19, 'must_match'],
  [20, 'ascii'],
  [21, 'file_size'],
  [22, 'max_file_size'],
  [23, 'both_required'],
  [24, 'unique'],
  [25, 'name_characters'],
  [26, 'phone'],
  [27, 'username_required'],
  [28, 'sip_password_mix'],
  [29, 'sip_password_characters'],
  [30, 'placeholders'],
  [31, 'user_needs_group'],
  [32, 'at_least_on_group_must_be_selected'],
  [33, 'alert_needs_recipients'],
  [34, 'announce_needs_recipients'],
  [35, 'poll_needs_answers'],
  [36, 'relays_out_of_range'],
  [37, 'floors_out_of_range'],
  [38, 'elevator_needs_controller'],
  [39, 'elevator_needs_group'],
  [40, 'elevator_needs_floors'],
  [41, 'access_rule_needs_device'],
  [42, 'elevator_rule_needs_user'],
  [43, 'elevator_rule_needs_elevator'],
  [44, 'elevator_rule_needs_floor'],
  [45, 'trunk_needs_group'],
  [46, 'forward_needs_queue'],
  [47, 'forward_needs_users'],
  [48, 'amenity_needs_group'],
  [49, 'amenity_needs_rule'],
  [50, 'amenity_needs_slot'],
  [51, 'slot_order'],
  [52, 'slot_duration'],
  [53, 'slot_needs_day'],
  [54, 'slot_overlap'],
  [55, 'persons'],
  [56, 'reservation_needs_slot'],
  [57, 'one_of_parameters'],
  [58, 'item_should_be_active'],
  [59, 'device_needs_integrator'],
  [60, 'over_licence_period'],
  [61, 'floor_public_and_panel'],
  [62, 'panel_floor_with_apartments'],
  [63, 'wrong_old_password'],
  [65, 'own_conversation'],
  [66, 'at_least_on_group_must_be_selected'],
];

describe('the validation messages', () => {
  it.each(validation)('VALID-%i: %s', (_clause, rule) => expect(wordless([`validation.${rule}`])).toEqual([]));
});

describe('the list grammar', () => {
  it('LIST-10, LIST-11: has every rule', () => {
    for (const rule of ['above', 'below', 'equals', 'not_equals', 'equals_above', 'equals_below', 'has', 'is', 'begins_with', 'contains'] as const)
      expect(filterRules).toContain(rule);
    expect(filterRules).toHaveLength(10);
  });
  it('LIST-09: has both match modes', () => expect(matchModes).toEqual(['match_all', 'match_any']));
});

const keysOf = (block: { shape: object }): string[] => Object.keys(block.shape);

describe('the fields', () => {
  it('FIELD-04: profile', () => {
    const asked = 'id email name locale is_verified avatar_url is_invited role domains project profile license_info'.split(' ');
    expect(asked.filter((field) => !keysOf(profile).includes(field))).toEqual([]);
    const inner = 'address phone time_zone time_format identifier_format sip_number is_app_popup_active notification_settings'.split(' ');
    // Beside what the specification names: the zone by its name, which whole hours cannot say.
    expect(keysOf(profile.shape.profile).toSorted()).toEqual([...inner, 'time_zone_name'].toSorted());
    expect(keysOf(profile.shape.project)).toEqual(['id', 'uid', 'name', 'description']);
  });
  it('FIELD-05 … 12: licence info', () => {
    expect(Object.fromEntries(Object.entries(licenceInfo.shape).map(([block, part]) => [block, keysOf(part)]))).toEqual({
      sip: ['is_enabled', 'is_sip_trunks_enabled', 'is_web_dialer_enabled', 'license_count'],
      mobile_app: [
        'is_enabled',
        'license_count',
        'is_domain_forward_rule_enabled',
        'is_white_label_enabled',
        'is_remote_open_enabled',
        'is_siri_enabled',
        'is_apple_watch_enabled',
        'is_family_events_enabled',
      ],
      elevator: ['is_enabled'],
      license_plate: ['is_enabled'],
      face_id: ['is_enabled_for_guests'],
      amenity: ['is_enabled'],
      ukey2: ['is_enabled', 'license_count'],
      identifier: ['is_guest_enabled'],
    });
  });
  it('FIELD-13: user', () => {
    const asked =
      'id login name description role domains identifiers access_rules email avatar_url license_info profile markers mobile_clients sip_numbers elevator_access_disabled activated_at'.split(
        ' ',
      );
    expect(asked.filter((field) => !keysOf(users.row).includes(field))).toEqual([]);
    expect(keysOf(users.write)).toContain('send_registration_link');
    expect(keysOf(users.write.shape.profile)).toEqual(['phone', 'address']);
    expect(keysOf(mobileClient)).toEqual(['id', 'client_id', 'platform', 'info', 'auth_time', 'vendor_id', 'sip_number', 'ukey2']);
  });
  it('FIELD-14: role', () => {
    const asked = 'id name description created_by_user permissions available_roles'.split(' ');
    expect(asked.filter((field) => !keysOf(roles.row).includes(field))).toEqual([]);
  });
  it('FIELD-15 … 19: group', () => {
    const asked =
      'id name description domain_type_id logic_address parent_id users access_rules devices elevators integrations mail_templates forward_rules sip_number licenseInfo guest_identifier_limits device_status_notify whitelabel apple_wallet'.split(
        ' ',
      );
    expect(asked.filter((field) => !keysOf(groups.row).includes(field))).toEqual([]);
    expect(keysOf(groups.write.shape.guest_identifier_limits)).toEqual(['max_passes_count', 'max_period_days']);
    expect(keysOf(groups.row.shape.whitelabel).toSorted()).toEqual(['address', 'email', 'is_enabled', 'logo', 'name', 'phone']);
    expect(keysOf(groups.row.shape.licenseInfo)).toEqual([
      'isEnabled',
      'notifications',
      'licenses',
      'is_device_license_enabled',
      'restrict_period',
      'period',
      'info',
    ]);
    expect(keysOf(groups.row.shape.licenseInfo.shape.notifications)).toEqual(['period', 'notify_before']);
    expect(keysOf(groups.row.shape.licenseInfo.shape.period)).toEqual(['from', 'to']);
  });
  it('FIELD-60, 65: consistency errors, and the basic licence of a project', () => {
    expect(keysOf(consistencyItem)).toEqual(['type', 'feature', 'license_type', 'relation', 'period', 'qty']);
    expect(keysOf(consistencyItem.shape.relation)).toEqual(['parent', 'child']);
    expect(keysOf(consistencyItem.shape.qty.unwrap())).toEqual(['target', 'available']);
    expect(keysOf(licenceSettings)).toEqual(['basic_period_days', 'basic_quantity']);
  });
  it('FIELD-61, 62, 64, SETT-06, SETT-07: settings of a project', () => {
    const asked = 'name description registration password_recovery server_url logs_life admin_email notify locale guest_identifier_limits'.split(' ');
    expect(asked.filter((field) => !keysOf(generalSettings).includes(field))).toEqual([]);
    expect(logUnits).toEqual(['days', 'weeks', 'months', 'years']);
    const mail = 'type host port username from_address from_name encryption'.split(' ');
    expect(mail.filter((field) => !keysOf(mailSettings).includes(field))).toEqual([]);
    expect([mailTypes, mailEncryptions]).toEqual([
      ['none', 'smtp', 'mailgun'],
      ['none', 'tls', 'ssl'],
    ]);
    expect(keysOf(selfRegistrationSettings.shape.clients.element)).toEqual(['type', 'role', 'license_period_days', 'features']);
  });
  it('FIELD-63, 66, 67: mobile SDK, SIP and push server', () => {
    const { mobileSdkSettings: sdk, sipSettings: sip, pushServerSettings: push } = calls;
    expect(keysOf(sdk.answer)).toEqual(['enabled', 'has_api_key']);
    expect(keysOf(push.answer)).toEqual(['enabled', 'url', 'has_token']);
    // `server` is the proxy with which numbers register.
    expect(keysOf(sip.answer)).toEqual(expect.arrayContaining(['server', 'early_media', 'nodes', 'auto_forward']));
    expect(keysOf(sipSettings.shape.auto_forward)).toEqual(['enabled', 'device_protocol']);
    expect(keysOf(sipNetwork)).toEqual(['port', 'internal_ip', 'external_ip', 'rtp', 'local_networks']);
    expect(keysOf(sipNetwork.shape.rtp.unwrap())).toEqual(['min', 'max']);
  });
  it('FIELD-20: generated groups', () => {
    expect(keysOf(generatedLevel)).toEqual(['id', 'count', 'prefix', 'logic_number', 'numeration']);
    expect(keysOf(generatedLevel.shape.numeration)).toEqual(['from', 'except', 'is_in_youngest_num', 'is_start_youngest_num']);
  });
  it('FIELD-35, VNUM-02, VNUM-03: virtual number', () => {
    const asked = 'number name is_active is_reserved owner_info user device domain forward_mode onlyFree'.split(' ');
    expect(asked.filter((field) => !keysOf(sipNumbers.row).includes(field))).toEqual([]);
    expect(keysOf(sipNumbers.row.shape.user.unwrap())).toEqual(['id', 'name', 'email']);
    expect([keysOf(sipNumbers.write).includes('password'), keysOf(sipNumbers.row).includes('password')]).toEqual([true, false]);
    expect([forwardModes, sipNumbers.filters.onlyFree]).toEqual([['disabled', 'manual', 'picked'], 'flag']);
  });
  it('FIELD-37, DATA-57, CONST-26, CONST-27: forward rule', () => {
    expect(keysOf(forwardRules.write)).toEqual(['name', 'redirect_if_no_answer', 'redirect_if_error']);
    expect(forwardRules.initial['redirect_if_no_answer']).toEqual({ is_immediately: false, timeout: 10 });
    expect(constants.unnamedForwardTimeoutSeconds).toBe(60);
  });
  it('FIELD-38, VNUM-05: SIP trunk', () =>
    expect(keysOf(sipTrunks.write)).toEqual([
      'name',
      'termination_uri',
      'outgoing_number',
      'login',
      'password',
      'groups',
      'incoming_authentication',
      'allow_panel_calls',
      'allow_panel_keys',
    ]));
  it('CALL-18, CALL-19: the history type is direction and status', () =>
    expect(historyTypes).toEqual(
      ['outgoing', 'incoming'].flatMap((direction) => ['answered', 'cancel', 'busy', 'noanswer', 'failed'].map((status) => `${direction}_${status}`)),
    ));
  it('FIELD-55, ROUTE-85, ALARM-03: device alarm', () => {
    expect(keysOf(deviceAlarms.row)).toEqual(expect.arrayContaining(['alarm_id', 'comment']));
    expect(deviceAlarms.filters).toMatchObject({ comment: 'text' });
    const { processAlarm } = calls;
    expect([processAlarm.path, keysOf(processAlarm.params), keysOf(processAlarm.body)]).toEqual([
      '/device-alarms/{alarm_id}/process',
      ['alarm_id'],
      ['comment'],
    ]);
  });
  it('FIELD-42: marker', () => expect(keysOf(markers.write)).toEqual(['name', 'color']));
});

describe('the calls', () => {
  it.each([
    ['AUTH-05', 'POST', '/login'],
    ['DIAL-17', 'GET', '/sip-numbers/contacts'],
    ['VNUM-01', 'GET', '/sip-numbers/{number}/call-info'],
    ['VNUM-01', 'POST', '/sip-numbers/generate'],
    ['VNUM-06', 'GET', '/calls/history/dialer/{number}'],
    ['AUTH-07', 'POST', '/refresh'],
    ['AUTH-08', 'GET', '/profile'],
    ['AUTH-08', 'PATCH', '/profile'],
    ['AUTH-14', 'POST', '/profile/password'],
    ['AUTH-15', 'DELETE', '/profile'],
    ['AUTH-16', 'PATCH', '/profile/app-popup'],
    ['AUTH-17', 'PATCH', '/profile/locale'],
    ['AUTH-18', 'POST', '/registration'],
    ['AUTH-20', 'GET', '/registration/{token}'],
    ['AUTH-20', 'POST', '/registration/{token}'],
    ['AUTH-21', 'POST', '/registration/confirm/{token}'],
    ['AUTH-22', 'POST', '/self-registration'],
    ['AUTH-23', 'GET', '/self-registration/{code}'],
    ['AUTH-24', 'POST', '/self-registration/resend'],
    ['AUTH-25', 'POST', '/self-registration/confirm'],
    ['AUTH-26', 'POST', '/password/recovery'],
    ['AUTH-27', 'POST', '/password/reset'],
    ['USER-02', 'POST', '/users/{id}/password'],
    ['USER-03', 'POST', '/users/{id}/registration-link'],
    ['USER-04', 'POST', '/users/{id}/avatar'],
    ['USER-04', 'DELETE', '/users/{id}/avatar'],
    ['GROUP-02', 'GET', '/groups/{id}/children'],
    ['GROUP-02', 'GET', '/groups/{id}/floors-and-apartments'],
    ['GROUP-03', 'POST', '/groups/{id}/generate'],
    ['GROUP-03', 'POST', '/groups/{id}/generated'],
    ['GROUP-04', 'POST', '/groups/{id}/logo'],
    ['LIC-08', 'GET', '/licenses'],
    ['LIC-08', 'DELETE', '/licenses/{id}'],
    ['LIC-08', 'GET', '/licenses/feature-state'],
    ['LIC-08', 'POST', '/licenses/file'],
    ['LIC-08', 'POST', '/licenses/cloud'],
    ['COMM-07', 'GET', '/mail-templates/types'],
    ['COMM-07', 'POST', '/mail-templates/preview'],
    ['COMM-07', 'POST', '/mail-templates/preview/send'],
    ['SETT-01', 'GET', '/project-settings/general'],
    ['SETT-01', 'PATCH', '/project-settings/general'],
    ['SETT-01', 'PATCH', '/project-settings/sip'],
    ['SETT-01', 'PATCH', '/project-settings/mobile-sdk'],
    ['SETT-01', 'PATCH', '/project-settings/push-server'],
    ['SETT-01', 'POST', '/project-settings/broker'],
    ['SETT-01', 'PATCH', '/project-settings/white-label'],
    ['SETT-01', 'PUT', '/project-settings/apple-wallet'],
    ['SETT-02', 'POST', '/project-settings/mail/test'],
    ['SETT-04', 'GET', '/resources/meta'],
    ['SETT-08', 'POST', '/backups'],
    ['SETT-09', 'POST', '/backups/{id}/apply'],
    ['SETT-09', 'POST', '/backups/apply'],
    ['SETT-10', 'GET', '/backups/{id}/file'],
    ['SETT-12', 'GET', '/services/{service}/status'],
    ['SETT-12', 'POST', '/services/sip/reinit'],
    ['SETT-13', 'POST', '/services/{service}/restart'],
    ['SETT-14', 'GET', '/ip-blocking/status'],
    ['SETT-14', 'GET', '/ip-blocking'],
    ['SETT-15', 'POST', '/ip-blocking/unban'],
    ['SETT-15', 'POST', '/ip-blocking/unban-all'],
    ['SETT-16', 'POST', '/ip-blocking/whitelist'],
    ['SETT-16', 'POST', '/ip-blocking/whitelist/delete'],
    ['SETT-18', 'GET', '/system-info'],
    ['SETT-20', 'POST', '/reports/licenses/used'],
    ['SETT-20', 'POST', '/reports/licenses/period'],
    ['LIST-05', 'POST', '/{area}/delete'],
    ['IDENT-10', 'POST', '/{area}/import'],
    ['IDENT-11', 'POST', '/{area}/import/continue'],
  ])('%s: %s %s', (_clause, method, path) => {
    expect(Object.values(calls).filter((call) => call.method === method && call.path === path)).toHaveLength(1);
  });
  it('have one method and path each', () => {
    const addresses = Object.values(calls).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
  it('take no path of an area', () => {
    const plain = Object.keys(models).flatMap((area) => [
      `GET /${area}`,
      `GET /${area}/{id}`,
      `PUT /${area}`,
      `PATCH /${area}/{id}`,
      `DELETE /${area}/{id}`,
    ]);
    expect(Object.values(calls).filter(({ method, path }) => plain.includes(`${method} ${path}`))).toEqual([]);
  });
});
