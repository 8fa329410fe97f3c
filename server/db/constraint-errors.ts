import { HttpError, unknownRelated } from '../http-error.ts';

interface DatabaseError {
  code?: string;
  constraint?: string;
  message: string;
}

/** Unique indexes by name: the field a person has to change, and the code where it is not plain `not_unique`. */
const uniqueFields: Record<
  string,
  {
    path: string[];
    code?:
      | 'email_used'
      | 'domain_address_exists'
      | 'serial_in_use'
      | 'device_has_number'
      | 'number_not_free'
      | 'identifier_exists'
      | 'integration_url_exists'
      | 'controller_linked'
      | 'template_exists'
      | 'no_free_places';
  }
> = {
  users_email: { path: ['email'], code: 'email_used' },
  users_login: { path: ['login'] },
  groups_address: { path: ['logic_address'], code: 'domain_address_exists' },
  roles_name: { path: ['name'] },
  markers_name: { path: ['name'] },
  saved_views_name: { path: ['name'] },
  group_types_name: { path: ['name'] },
  sip_numbers_number: { path: ['number'] },
  sip_numbers_device: { path: ['device'], code: 'device_has_number' },
  sip_numbers_domain: { path: ['domain'] },
  sip_number_forwards_picked: { path: ['picked_numbers'], code: 'number_not_free' },
  forward_rules_name: { path: ['name'] },
  sip_trunks_name: { path: ['name'] },
  schedules_name: { path: ['name'] },
  access_rules_name: { path: ['name'] },
  integrations_name: { path: ['name'] },
  integrations_url: { path: ['url'], code: 'integration_url_exists' },
  mail_templates_type: { path: ['mail_type_id'], code: 'template_exists' },
  elevators_name: { path: ['name'] },
  elevator_controllers_pkey: { path: ['controllers'], code: 'controller_linked' },
  elevator_access_rules_name: { path: ['name'] },
  amenities_name: { path: ['name'] },
  amenity_reservations_slot: { path: ['timeSlots'], code: 'no_free_places' },
  devices_login: { path: ['login'], code: 'serial_in_use' },
  identifiers_value: { path: ['value'], code: 'identifier_exists' },
};

/** Connections that were never made or are gone, servers that start, stop or are full: it may work in a moment. */
const passing = new Set(['57P01', '57P02', '57P03', '57P05', '57014', '55P03', '40001', '40P01', '53000', '53200', '53300', '25P03']);
const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);
const brokenWords =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|Query read timeout|Cannot use a pool after/i;

/** Errors come wrapped: the one of the driver is the innermost that has a code or says what it is. */
function innermost(error: unknown): DatabaseError | null {
  let found: DatabaseError | null = null;
  for (let at: unknown = error; at instanceof Error; at = at.cause) found = at as DatabaseError;
  return found;
}

/** An error of the database or of the way to it, as the contract says it; null when it is neither. */
export function databaseHttpError(error: unknown): HttpError | null {
  const inner = innermost(error);
  if (!inner) return null;
  const { code = '', constraint = '', message } = inner;
  if (code === '23505') {
    const { path, code: wireCode = 'not_unique' } = uniqueFields[constraint] ?? { path: [] };
    return new HttpError(wireCode, { issues: [{ path, rule: wireCode, params: {} }] });
  }
  if (code === '23503') return message.startsWith('insert or update') ? unknownRelated([]) : new HttpError('in_use', []);
  if (code === '53100') return new HttpError('storage_full');
  if (code === '22021' || code === '22P05' || code === '22003' || code === '22001') return new HttpError('invalid_data', { issues: [] });
  if (passing.has(code) || code.startsWith('08') || broken.has(code) || brokenWords.test(message)) return new HttpError('unavailable');
  return null;
}
