import { type Ability, deviceCan, deviceModel, deviceModels, isDeviceType } from '#models/device-models.ts';
import type { Device, devices } from '#models/devices.ts';
import { licensed } from '#models/licence-info.ts';
import { hasPermission } from '#models/permissions.ts';
import type { z } from 'zod';
import type { Facts } from '#src/views/area/resource.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { onlyFree } from '../sip-numbers/only-free.ts';
import { ButtonsField } from './buttons-field.tsx';
import { CameraField } from './camera-field.tsx';
import { FloorsField } from './floors-field.tsx';
import { LocationPiece } from './location-piece.tsx';
import { ModelField } from './model-field.tsx';
import { RelaysField } from './relays-field.tsx';
import { SecretField } from './secret-field.tsx';

type Draft = z.infer<(typeof devices)['write']>;
type Shown = (facts: Facts<Draft, Device>) => boolean;
type Settings = Draft['device_settings'];

/** Sections and fields appear by type, model and protocol: nothing is asked that the device cannot do. */
const can =
  (ability: Ability): Shown =>
  ({ draft }) =>
    deviceCan(draft, ability);
const relays: Shown = ({ draft }) => deviceModel(draft.type, draft.model).relays > 0;
const buttons: Shown = ({ draft }) => deviceModel(draft.type, draft.model).buttons > 0;
const isLift = can('lift');
const overNetwork: Shown = ({ draft }) => draft.protocol !== 'none';
const overMqtt: Shown = ({ draft }) => draft.protocol === 'mqtt';
const when =
  (test: (settings: Settings) => boolean): Shown =>
  ({ draft }) =>
    test(draft.device_settings);
const sipOn = when(({ sip }) => sip.enabled);
/** A virtual number brings its login and password along, unless the device is set up by hand. */
const ownLogin: Shown = ({ draft }) => !draft.sip_number || draft.device_settings.sip.manual;
const sipByHand = when(({ sip }) => sip.enabled && sip.manual);
const fixedAddress = when(({ network }) => !network.is_dhcp);
const faceOn = when(({ face_recognition: face }) => face.enabled);
const liftOn = when(({ lift_controller: lift }) => lift.enabled);
const plateOn = when(({ alpr_camera: camera }) => camera.enabled);
/** It lets nobody in twice. */
const passback = when(({ additional }) => ['in', 'out'].includes(additional.anti_passback?.way ?? 'off'));
const forgives = when(({ additional }) => additional.anti_passback?.way === 'in');
const axxonOn = when(({ integration_axxon: axxon }) => axxon.enabled);

/** A model belongs to one type: with another type none is chosen yet. */
const otherModel = (type: unknown, { model }: Record<string, unknown>): Record<string, unknown> =>
  isDeviceType(type) && !deviceModels[type].some(({ name }) => name === model) ? { model: '' } : {};

/** The form of a device: what it is, how it is reached, then what its model can do. */
export const deviceForm = [
  {
    section: 'general',
    fields: [
      'name',
      'domain',
      { key: 'type', changes: otherModel },
      { key: 'model', widget: ModelField },
      'login',
      'access_rules',
      { key: 'description', wide: true },
    ],
  },
  {
    section: 'connection',
    fields: [
      'protocol',
      { key: 'ip_address', show: overNetwork },
      { key: 'port', show: overNetwork },
      { key: 'password', widget: SecretField, show: overNetwork },
      { key: 'device_login', show: overNetwork },
      { key: 'device_password', widget: SecretField, show: overNetwork },
    ],
  },
  {
    section: 'mqtt',
    show: overMqtt,
    fields: [
      'device_settings.mqtt.address',
      'device_settings.mqtt.port',
      'device_settings.mqtt.keep_alive',
      { key: 'device_settings.mqtt.is_secure', wide: true },
    ],
  },
  {
    section: 'network',
    show: overNetwork,
    fields: [
      { key: 'device_settings.network.is_dhcp', wide: true },
      { key: 'device_settings.network.ip', show: fixedAddress },
      { key: 'device_settings.network.subnet', show: fixedAddress },
      { key: 'device_settings.network.gateway', show: fixedAddress },
      { key: 'device_settings.network.dns', show: fixedAddress },
    ],
  },
  {
    section: 'sip',
    show: can('calls'),
    fields: [
      {
        key: 'sip_number',
        only: onlyFree,
        locked: ({ profile }: Facts<Draft, Device>) => !hasPermission(actorOf(profile), 'can_edit_sip_numbers'),
        show: ({ profile }: Facts<Draft, Device>) => licensed('sip', profile.features, profile.license_info),
      },
      { key: 'device_settings.sip.enabled', wide: true, show: ownLogin },
      { key: 'device_settings.sip.login', show: (facts: Facts<Draft, Device>) => sipOn(facts) && ownLogin(facts) },
      { key: 'device_settings.sip.password', widget: SecretField, show: (facts: Facts<Draft, Device>) => sipOn(facts) && ownLogin(facts) },
      { key: 'device_settings.sip.transport', show: sipOn },
      { key: 'device_settings.sip.rtp_profile', show: sipOn },
      { key: 'device_settings.sip.talk_timeout', show: sipOn },
      { key: 'device_settings.sip.manual', show: sipOn, wide: true },
      { key: 'device_settings.sip.proxy_address', show: sipByHand },
      { key: 'device_settings.sip.realm_address', show: sipByHand },
      { key: 'device_settings.sip.stun_address', show: sipByHand },
      { key: 'device_settings.sip.stun_port', show: sipByHand },
    ],
  },
  {
    section: 'address',
    show: can('calls'),
    fields: [
      'device_settings.address.mode',
      'device_settings.address.building',
      'device_settings.address.unit',
      'device_settings.address.floor',
      'device_settings.address.apartment',
      { key: 'device_settings.address.reregister', wide: true },
      { key: 'device_settings.address.reregister_interval', show: when(({ address }) => address.reregister) },
    ],
  },
  {
    section: 'doors',
    show: (facts: Facts<Draft, Device>) => (relays(facts) && !isLift(facts)) || buttons(facts),
    fields: [
      { key: 'device_settings.additional.button_numbers', widget: ButtonsField, wide: true, show: buttons },
      { key: 'device_settings.relays', widget: RelaysField, wide: true, show: (facts: Facts<Draft, Device>) => relays(facts) && !isLift(facts) },
      { key: 'device_settings.additional.remote_lock_opening', wide: true, show: relays },
      { key: 'device_settings.additional.alpr_camera_interaction', wide: true, show: can('alpr') },
      { key: 'device_settings.additional.anti_passback.way', show: relays },
      { key: 'device_settings.additional.anti_passback.area', show: passback },
      { key: 'device_settings.additional.anti_passback.forgiven_after', show: forgives },
    ],
  },
  {
    section: 'face',
    show: can('face'),
    fields: [
      { key: 'device_settings.face_recognition.enabled', wide: true },
      { key: 'device_settings.face_recognition.mode', show: faceOn },
      { key: 'device_settings.face_recognition.similarity', show: faceOn },
      { key: 'device_settings.face_recognition.autostart', show: faceOn, wide: true },
    ],
  },
  {
    section: 'lift',
    show: isLift,
    fields: [
      { key: 'device_settings.lift_controller.enabled', wide: true },
      { key: 'device_settings.lift_controller.settings.device_mode', show: liftOn },
      { key: 'device_settings.lift_controller.settings.relay_mode', show: liftOn },
      { key: 'device_settings.lift_controller.settings.relay_open_time', show: liftOn },
      { key: 'device_settings.lift_controller.settings.lift_release_time', show: liftOn },
      { key: 'device_settings.lift_controller.settings.floor_map', widget: FloorsField, wide: true, reads: true, show: liftOn },
    ],
  },
  {
    section: 'alpr',
    show: can('alpr'),
    fields: [
      { key: 'device_settings.alpr_camera.enabled', wide: true },
      { key: 'device_settings.alpr_camera.vendor', show: plateOn },
      { key: 'device_settings.alpr_camera.address', show: plateOn },
      { key: 'device_settings.alpr_camera.port', show: plateOn },
      { key: 'device_settings.alpr_camera.alarm_disable_timeout', show: plateOn },
    ],
  },
  {
    section: 'axxon',
    show: can('camera'),
    fields: [
      { key: 'device_settings.integration_axxon.enabled', wide: true },
      { key: 'device_settings.integration_axxon.integration', show: axxonOn, only: [{ field: 'type', rule: 'equals', value: 'camera' }] },
      { key: 'device_settings.integration_axxon.camera', show: axxonOn, widget: CameraField },
    ],
  },
  {
    section: 'monitoring',
    show: overNetwork,
    fields: [
      { key: 'management.heartbeat', wide: true },
      { key: 'management.realtime_logging', wide: true },
      { key: 'get_logs', wide: true },
    ],
  },
  { section: 'location', fields: ['location.latitude', 'location.longitude'], piece: LocationPiece },
] as const;
