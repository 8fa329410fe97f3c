import { describe, expect, it } from 'vitest';
import { blankDraft } from '#machines/editor/draft.ts';
import { type AreaName, areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';

/** The default templates (spec B3) of the areas that are there: fields, and after `=` what the spec says a new record begins with. */
const templates: Partial<Record<AreaName, string>> = {
  'sip-trunks': 'name outgoing_number termination_uri login password groups',
  devices: `name description type=panel model ip_address port=80 login password device_login device_password domain access_rules get_logs
    protocol=http location.latitude location.longitude device_settings.mqtt device_settings.sip.manual device_settings.sip.enabled
    device_settings.sip.proxy_address device_settings.sip.realm_address device_settings.sip.stun_address device_settings.sip.stun_port
    device_settings.sip.login device_settings.sip.password device_settings.sip.talk_timeout=120 device_settings.sip.transport=UDP
    device_settings.sip.rtp_profile device_settings.address.mode device_settings.address.building device_settings.address.unit
    device_settings.address.floor device_settings.address.apartment device_settings.address.reregister
    device_settings.address.reregister_interval=600 device_settings.network.is_dhcp device_settings.network.ip
    device_settings.network.subnet device_settings.network.gateway device_settings.network.dns
    device_settings.additional.button_numbers.3 device_settings.additional.alpr_camera_interaction
    device_settings.additional.remote_lock_opening device_settings.face_recognition.enabled device_settings.face_recognition.mode=3D
    device_settings.face_recognition.similarity=high device_settings.face_recognition.autostart device_settings.lift_controller.enabled
    device_settings.lift_controller.settings.device_mode device_settings.lift_controller.settings.relay_mode
    device_settings.lift_controller.settings.relay_open_time=10 device_settings.lift_controller.settings.lift_release_time
    device_settings.lift_controller.settings.floor_map device_settings.alpr_camera device_settings.integration_axxon`,
  groups: `name description parent_id whitelabel apple_wallet users access_rules devices elevators integrations mail_templates domain_type_id
    logic_address forward_rules sip_number licenseInfo guest_identifier_limits.max_passes_count guest_identifier_limits.max_period_days`,
  users: `login name role domains access_rules email license_info profile.phone profile.address markers identifiers sip_numbers
    send_registration_link`,
  roles: 'name description permissions available_roles',
  'sip-numbers': 'number name password is_active is_reserved user device domain forward_mode=disabled',
  'forward-rules': 'redirect_if_no_answer.is_immediately redirect_if_no_answer.timeout=10 redirect_if_error',
  markers: 'name color',
  identifiers: `type=card value is_active owner_type period_restrict_active period_restrict_from period_restrict_to passes_restrict_active
    passes_max_count access_rules`,
  'guest-identifiers':
    'type=qr selectedAccessRules validatePeriod.from validatePeriod.to guestType keyMessage restrictPassCount restrictPeriod passLimit',
  announces: 'type body send_via=[email] users domains execute_at answers custom_answer',
  'mail-templates': 'mail_type_id subject body domain_id',
  'emergency-alerts': 'name device_type=monitor playback_duration=60 open_locks',
  amenities: 'name address description domains accessRules numberOfPersons.min=1 numberOfPersons.max=500 timeSlots.duration=3600 timeSlots.items',
  // Its status follows from its times.
  'amenity-reservations': 'amenity date user numberOfPersons timeSlots',
  schedules: 'days.mon days.sun from=32400 to=64800 valid_from valid_to is_all_day repeat_mode',
  'access-rules': 'name description devices time_rules users identifiers domains prohibition is_shareable',
};
/** Areas that the spec gives no template: their records come about by themselves, or are a list of words. */
const withoutTemplate: readonly AreaName[] = ['device-alarms', 'group-types', 'elevators', 'elevator-access-rules', 'integrations', 'ukey2'];

const within = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((block, key) => (typeof block === 'object' && block !== null ? (block as Record<string, unknown>)[key] : undefined), value);

describe('DATA-13: a new record', () => {
  it('has a template in every area that the spec gives one', () => {
    const written = areaNames.filter((area) => !modelOf(area).readOnly && !withoutTemplate.includes(area));
    expect(Object.keys(templates).toSorted()).toEqual(written.toSorted());
  });

  it.each(Object.entries(templates) as [AreaName, string][])('of %s begins with it in the form', (area, template) => {
    const draft = blankDraft(area, {});
    const wrong = template.split(/\s+/).filter((line) => {
      const [path = '', value] = line.split('=');
      const found = within(draft, path);
      return found === undefined || (value !== undefined && JSON.stringify(found).replaceAll('"', '') !== value);
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.keys(templates) as AreaName[])('of %s keeps the rest of it where the address fills in a field', (area) => {
    const { initial, label } = modelOf(area);
    expect(blankDraft(area, { [label]: 'Given' })).toEqual({ ...initial, [label]: 'Given' });
  });
});
