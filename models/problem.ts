/** Every way a request can end badly: code → status and wire message (spec B8; statuses settled in the contract). */
const table = {
  // authentication and general
  incorrect_login: [401, 'incorrect login/password'],
  not_authorized: [401, 'Unauthenticated'],
  invalid_credentials: [401, 'invalid credentials'],
  second_factor_invalid: [422, 'wrong second-factor code'],
  second_factor_required: [403, 'a second factor must be set up first'],
  passkey_invalid: [422, 'passkey could not be verified'],
  passkey_required: [403, 'sign-in with the passkey is required'],
  invalid_token: [401, 'invalid token'],
  outdated_link: [400, 'verification link is outdated or incorrect'],
  forbidden: [403, "can't perform action"],
  prohibited: [405, 'method or action prohibited'],
  wrong_parameters: [400, 'wrong parameters'],
  interface_failed: [500, 'error preparing web interface'],
  not_found: [404, 'item not found'],
  internal: [500, 'internal server error'],
  invalid_data: [422, 'invalid data sent (request validation)'],
  conflict: [412, 'changed by someone else'],
  in_use: [409, 'item is in use'],
  too_large: [413, 'request is too large'],
  unsupported_media: [415, 'unsupported media type'],
  locked_out: [423, 'too many failed attempts, sign-in is locked'],
  too_many_requests: [429, 'too many requests'],
  unavailable: [503, 'service is unavailable, try again later'],
  storage_full: [507, 'no space left on the server'],
  key_reused: [409, 'idempotency key was used for another request'],
  // devices and services
  device_offline: [409, 'device offline, unable to connect'],
  device_not_mqtt: [409, 'device protocol is not mqtt, remote control impossible'],
  device_protocol_none: [409, 'device protocol is none, cannot be initialised, restarted or synchronised'],
  device_unavailable: [503, 'device or service unavailable'],
  sip_service_failed: [500, 'error starting the SIP service'],
  broker_settings_failed: [500, 'broker settings sending error'],
  controller_linked: [409, 'controller already linked to another elevator'],
  serial_in_use: [409, 'serial number in use'],
  invalid_file: [422, 'invalid file'],
  corrupted_file: [422, 'wrong file body or corrupted file'],
  invalid_backup_image: [422, 'invalid backup image'],
  // identifiers
  identifier_not_saved: [422, 'error saving identifier {name}'],
  identifier_not_found: [404, 'identifier not found'],
  identifier_not_viewable: [403, 'view identifier is not available'],
  identifier_exists: [409, 'identifier with this number and type already exists'],
  ukey2_not_deletable: [409, 'ukey2 cannot be deleted'],
  face_not_recognised: [422, 'face not recognised'],
  face_may_not_work: [422, 'face identifier may not work on some new panel models, reload the photo'],
  // users and numbers
  user_needs_email: [422, 'user needs an e-mail for registration'],
  user_registered: [409, 'user registered already'],
  email_used: [409, 'e-mail already used'],
  not_unique: [409, 'value not unique'],
  own_number: [422, 'unable to call your number'],
  own_conversation: [422, 'user cannot communicate with himself'],
  device_has_number: [409, 'device already has virtual number'],
  number_is_general: [409, "deletion prohibited while a virtual number is the group's general number"],
  number_not_free: [409, 'picked virtual number not free'],
  number_not_sent: [503, 'error sending number to the SIP proxy'],
  numbers_limit: [409, 'limit reached for total SIP numbers'],
  numbers_limit_user: [409, 'limit reached for per-user SIP numbers'],
  wrong_old_password: [422, 'wrong old password'],
  invite_code_invalid: [404, 'cannot find the user, contact the administrator'],
  confirmation_code_invalid: [422, 'self-registration invalid confirmation code'],
  template_exists: [409, 'a template of this type already exists'],
  // licences and limits
  limit_exceeded: [409, 'limit exceeded, used {used}, max {max}'],
  numbers_over_project: [409, 'maximum virtual numbers of the project exceeded'],
  numbers_over_group: [409, 'maximum virtual numbers of the group exceeded'],
  apps_over_project: [409, 'maximum mobile apps of the project exceeded'],
  apps_over_group: [409, 'maximum mobile apps of the group exceeded'],
  ukey2_over_project: [409, 'maximum ukey2 of the project exceeded'],
  ukey2_over_group: [409, 'maximum ukey2 of the group exceeded'],
  period_conflicts_parent: [409, 'licence period conflicts with parent group'],
  period_conflicts_child: [409, 'licence period conflicts with child groups'],
  children_over_parent: [409, 'sum of child limits exceeds the parent limit'],
  domain_inconsistent: [409, 'domain consistency error'],
  used_over_group: [409, 'used counts greater than group values'],
  licence_restricted: [403, "licence restriction in the user's group"],
  licence_bad_signature: [422, 'licence has a bad signature'],
  licence_not_applicable: [422, 'licence cannot be applied'],
  licence_expired: [422, 'licence expired'],
  licence_server_silent: [503, 'licence server is not responding'],
  licence_none_found: [404, 'no licence found for project'],
  licence_instance_registered: [409, 'same instance id already registered'],
  licence_expires_in_days: [409, 'the licence expires in {days} days'],
  licence_expires_today: [409, 'the licence expires today'],
  features_off_in_days: [409, 'features are disabled in {days} days'],
  features_off_today: [409, 'features are disabled today'],
  domain_address_exists: [409, 'domain with same type and logical address exists'],
  // guests
  guest_passes_limit: [422, 'max passes count limit reached ({max_count})'],
  guest_days_limit: [422, 'max days limit reached ({max_days})'],
  guest_exists: [409, 'guest identifier exists'],
  guest_invalid: [404, 'guest access: invalid identifier'],
  guest_expired: [410, 'guest access: expired'],
  guest_passes_used: [410, 'guest access: pass limit reached'],
  guest_device_problem: [503, 'guest access: device problem'],
  guest_device_not_found: [404, 'guest access: device not found'],
  // amenities
  reservation_not_editable: [409, 'reservation non-editable'],
  reservation_not_cancelable: [409, 'reservation non-cancelable'],
  devices_without_qr: [422, 'unsupported devices lacking QR scanning'],
  file_not_found: [404, 'file not found'],
  active_reservations: [409, 'amenity has active reservations'],
  amenity_not_allowed: [403, 'amenity not allowed'],
  amenity_not_found: [404, 'amenity not found'],
  persons_limit: [422, 'person limits exceeded'],
  slot_mismatch: [422, 'time slot mismatch'],
  slots_inconsistent: [422, 'inconsistent slots'],
  not_in_future: [422, 'date or time must be in the future'],
  no_free_places: [409, 'no free places'],
  state_not_found: [404, 'amenity state not found'],
  editing_prohibited: [403, 'editing prohibited'],
  deleting_prohibited: [403, 'deleting prohibited'],
  rule_with_unsupported_devices: [422, 'access rule with unsupported devices'],
  // integrations and relations
  integration_url_exists: [409, 'integration server with the same URL exists'],
  integration_unavailable: [503, 'integration server unavailable'],
  grpc_unavailable: [503, 'gRPC unavailable'],
  invalid_related: [422, 'invalid related entity sent'],
  integration_not_for_user: [403, 'integration not allowed for user'],
  integration_not_for_device: [403, 'integration not allowed for device'],
  // wallet passes
  wallet_no_certificate: [409, 'no certificate for wallet passes'],
  wallet_certificate_expired: [409, 'the certificate for wallet passes has expired'],
  wallet_not_possible: [409, 'no wallet pass for this type of identifier'],
  // alarms
  alarm_processed: [409, 'alarm already processed'],
  alarm_claimed: [409, 'alarm already claimed by {name}'],
  // bulk work
  total_changed: [409, 'the number of matching items has changed'],
  // announcements
  announce_over: [409, 'announcement is over'],
  poll_answered: [409, 'poll already answered'],
  // enrolment
  reader_busy: [409, 'reader is waiting for the card of another user'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** Problems that arise in the browser and never cross the wire. */
export const localCodes = [
  'offline',
  'timeout',
  'unknown_outcome',
  'bad_answer',
  'passkey_cancelled',
  'passkey_unavailable',
  'passkey_exists',
  'push_refused',
  'chunk_failed',
  'no_media_support',
  'no_media_devices',
  'previewing',
] as const;

export type WireCode = keyof typeof table;
export type ProblemCode = WireCode | (typeof localCodes)[number];

/**
 * One thing that went wrong, as data. `message` is the wire message with its parameters filled in; `data` is the
 * code's own: issues of `invalid_data`, the current row of `conflict`, related rows of `in_use` and `invalid_related`.
 */
export interface Problem {
  code: ProblemCode;
  message?: string;
  status?: number;
  data?: unknown;
}

export const wireCodes = Object.keys(table) as WireCode[];
/** Whether a value is a code that goes over the wire. */
export const isWireCode = (code: unknown): code is WireCode => typeof code === 'string' && Object.hasOwn(table, code);
/** The HTTP status a code is answered with. */
export const statusOf = (code: WireCode): number => table[code][0];

/** The wire message of a code, `{parameters}` filled from `data`. */
export function messageOf(code: WireCode, data: unknown = {}): string {
  const values = (data ?? {}) as Record<string, unknown>;
  return table[code][1].replaceAll(/\{(\w+)\}/g, (whole, key: string) => (Object.hasOwn(values, key) ? String(values[key]) : whole));
}

/** The key below `errors.http` under which a wire message is looked up: lower case, quotes removed. */
export const messageKey = (message: string): string => message.toLowerCase().replaceAll(/["'«»“”‘’„`]/g, '');

/** The message as catalogued, before parameters: what the locales are keyed by. */
export const catalogueMessage = (code: WireCode): string => table[code][1];

/** Whether a message is the catalogued one of a code, whatever its parameters hold. */
export const isMessageOf = (code: WireCode, message: string): boolean => {
  const parts = messageKey(table[code][1]).split(/\{\w+\}/);
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`).test(messageKey(message));
};

/** Whether a word is the id of a row, which says nothing to people. */
export const isId = (word: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word);
