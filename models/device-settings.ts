import { z } from 'zod';
import { constants, liftDeviceModes } from './constants.ts';
import {
  apartmentRanges,
  choice,
  devicePassword,
  flag,
  ip,
  limit,
  name,
  optionalText,
  placeIn,
  ref,
  requiredText,
  rule,
  subnetMask,
  urlOrIp,
  wholeNumber,
} from './rules.ts';
import { dialable } from './sip.ts';
import { secondsIn } from './time.ts';

/** The blocks of `device_settings` (spec A3, B3). Units stand in the labels: relays switch in milliseconds, lifts in seconds. */
export const deviceModes = ['wall', 'unit', 'apartment'] as const;
export const sipTransports = ['UDP', 'TCP', 'TLS'] as const;
export const rtpProfiles = ['AVP', 'SAVP'] as const;
export const faceModes = ['2D', '3D'] as const;
export const faceSimilarities = ['low', 'medium', 'high'] as const;
export const relayModes = ['pulse', 'hold'] as const;
export const plateCameraVendors = ['onvif', 'axis', 'hikvision', 'dahua'] as const;

const port = () => wholeNumber(1, 65_535);
const address = () => urlOrIp().nullable();

/** How the device reaches the broker; without an address it is the console's own. */
const mqtt = z.strictObject({ address: address(), port: port(), is_secure: flag(), keep_alive: wholeNumber(5, 3_600) });

const sip = z.strictObject({
  enabled: flag(),
  /** Registers by what is written here instead of by what the console knows. */
  manual: flag(),
  proxy_address: address(),
  realm_address: address(),
  stun_address: address(),
  stun_port: port().nullable(),
  login: optionalText(64),
  /** Write-only; null keeps the one that is stored. */
  password: devicePassword().nullable(),
  talk_timeout: wholeNumber(10, 3_600),
  transport: choice(sipTransports),
  rtp_profile: choice(rtpProfiles).nullable(),
});

/** The block as rows show it may be sent back: it names no password, so that the stored one stays. */
const asRead = (sent: unknown): unknown => {
  if (sent === null || typeof sent !== 'object' || !('has_password' in sent)) return sent;
  const { has_password: _shown, ...block } = sent;
  return { password: null, ...block };
};

const place = z.strictObject({
  mode: choice(deviceModes).nullable(),
  building: optionalText(31),
  unit: optionalText(31),
  floor: optionalText(31),
  apartment: optionalText(31),
  reregister: flag(),
  reregister_interval: wholeNumber(60, secondsIn(1, 'day')),
});

const network = z.strictObject({
  is_dhcp: flag(),
  ip: ip().nullable(),
  subnet: subnetMask().nullable(),
  gateway: ip().nullable(),
  dns: ip().nullable(),
});

/** What one press of a call button rings: a number, or nothing. */
const buttonNumber = z
  .string()
  .trim()
  .refine((value) => dialable.test(value), rule('dialable'))
  .nullable();
/** Lets nobody in twice: which way the reader leads, what it leads into, and after how many minutes an entry is forgiven (null is never). */
export const passbackWays = ['off', 'in', 'out'] as const;
const antiPassback = z.strictObject({ way: choice(passbackWays), area: optionalText(31).optional(), forgiven_after: limit(1, 10_080).optional() });
const additional = z.strictObject({
  button_numbers: z.array(buttonNumber).length(4).meta({ kind: 'buttons' }),
  alpr_camera_interaction: flag(),
  remote_lock_opening: flag(),
  /** Left out by devices that were set up before there was one: off. */
  anti_passback: antiPassback.optional(),
});

const faceRecognition = z.strictObject({ enabled: flag(), mode: choice(faceModes), similarity: choice(faceSimilarities), autostart: flag() });

/** One relay: how long it switches, in milliseconds, and whether it rests closed. */
export const relay = z.strictObject({
  number: placeIn(1, 64, 'relays_out_of_range'),
  name: name(),
  switch_time: wholeNumber(100, 600_000),
  is_inverted: flag(),
});
export type Relay = z.infer<typeof relay>;

/** The lowest and the highest floor a lift may know. */
export const floors = { min: -10, max: 200 } as const;
/** One relay of a lift controller and the floor it gives free. */
export const floorEntry = z.strictObject({
  relay: placeIn(1, 64, 'relays_out_of_range'),
  floor: placeIn(floors.min, floors.max, 'floors_out_of_range'),
  logic_address: requiredText(31, 'floors_out_of_range'),
  is_public: flag(),
  is_panel_floor: flag(),
  /** The flats on the floor, as people write them: `12-16, 18`. */
  apartments: apartmentRanges(120).nullable(),
});
export type FloorEntry = z.infer<typeof floorEntry>;

const liftController = z.strictObject({
  enabled: flag(),
  settings: z.strictObject({
    device_mode: choice(liftDeviceModes),
    relay_mode: choice(relayModes),
    /** Seconds. */
    relay_open_time: wholeNumber(1, 600),
    /** Seconds. */
    lift_release_time: wholeNumber(0, 600),
    floor_map: z.array(floorEntry).max(64).meta({ kind: 'floors' }),
  }),
});

const plateCamera = z.strictObject({
  enabled: flag(),
  vendor: choice(plateCameraVendors),
  address: address(),
  port: port(),
  /** Seconds. */
  alarm_disable_timeout: wholeNumber(0, 3_600),
});

const axxon = z.strictObject({ enabled: flag(), integration: ref('integrations').nullable(), camera: optionalText(64) });

/** `device_settings` as it is sent; the SIP password goes this way only. */
export const deviceSettings = z.strictObject({
  mqtt,
  sip: z.preprocess(asRead, sip),
  address: place,
  network,
  additional,
  relays: z.array(relay).max(64).meta({ kind: 'relays' }),
  face_recognition: faceRecognition,
  lift_controller: liftController,
  alpr_camera: plateCamera,
  integration_axxon: axxon,
});
export type DeviceSettings = z.infer<typeof deviceSettings>;

/** `device_settings` as rows show it: whether there is a SIP password, never which. */
export const shownDeviceSettings = z.strictObject({
  ...deviceSettings.shape,
  sip: z.strictObject({ ...sip.omit({ password: true }).shape, has_password: z.boolean() }),
});

/** Blocks of settings as a remote session writes them: a password that is left out stays as it is. */
export const remoteSettings = z.strictObject({ ...deviceSettings.shape, sip: sip.partial({ password: true }) }).partial();
export type RemoteSettings = z.infer<typeof remoteSettings>;

/** What a new device starts with (spec B3, B9). */
export const defaultDeviceSettings: DeviceSettings = {
  mqtt: { address: null, port: 1883, is_secure: false, keep_alive: 30 },
  sip: {
    enabled: false,
    manual: false,
    proxy_address: null,
    realm_address: null,
    stun_address: null,
    stun_port: null,
    login: null,
    password: null,
    talk_timeout: constants.talkTimeoutSeconds,
    transport: 'UDP',
    rtp_profile: null,
  },
  address: {
    mode: null,
    building: null,
    unit: null,
    floor: null,
    apartment: null,
    reregister: false,
    reregister_interval: constants.reregisterIntervalSeconds,
  },
  network: { is_dhcp: true, ip: null, subnet: null, gateway: null, dns: null },
  additional: {
    button_numbers: [null, null, null, null],
    alpr_camera_interaction: false,
    remote_lock_opening: true,
    anti_passback: { way: 'off', area: null, forgiven_after: null },
  },
  relays: [],
  face_recognition: { enabled: false, mode: '3D', similarity: 'high', autostart: false },
  lift_controller: {
    enabled: false,
    settings: {
      device_mode: 'call-up-down',
      relay_mode: 'pulse',
      relay_open_time: constants.relayOpenTimeSeconds,
      lift_release_time: 5,
      floor_map: [],
    },
  },
  alpr_camera: { enabled: false, vendor: 'onvif', address: null, port: constants.devicePort, alarm_disable_timeout: 30 },
  integration_axxon: { enabled: false, integration: null, camera: null },
};
