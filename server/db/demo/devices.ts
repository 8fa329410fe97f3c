import { randomBytes } from 'node:crypto';
import { deviceModel, type DeviceType } from '#models/device-models.ts';
import { defaultDeviceSettings, type FloorEntry } from '#models/device-settings.ts';
import { lengthOf } from '#models/time.ts';
import type { devices } from '../schema/index.ts';
import { madePassword } from '#server/modules/sip-numbers/of-device.ts';
import { demoId } from './chance.ts';
import type { DemoGroup } from './tree.ts';

export type DemoDevice = typeof devices.$inferInsert & { id: string };
const freshSecret = (): string => randomBytes(18).toString('base64url');

const day = lengthOf(1, 'day');
interface Plan {
  name: string;
  type: DeviceType;
  model: string;
  /** The group's name below the project, or `root`. */
  at: string;
  protocol?: 'http' | 'mqtt' | 'none';
  description?: string;
  /** Metres east and north of the project's middle. */
  spot?: readonly [east: number, north: number];
  offline?: boolean;
}

const tower = (name: 'Tower A' | 'Tower B', east: number): Plan[] => {
  const short = name.slice(-1);
  const floors = Array.from({ length: 8 }, (_, floor): Plan => ({
    name: `${short} floor ${floor + 1} corridor`,
    type: 'access_controller',
    model: 'AC-1',
    at: `${name} floor ${floor + 1}`,
    spot: [east, 12],
  }));
  const flats = name === 'Tower B' ? [5, 22, 31, 40] : [3, 17, 36];
  const monitors = flats.map((flat): Plan => ({
    name: `Monitor ${short} ${flat}`,
    type: 'monitor',
    model: 'DM-70',
    at: `${name} flat ${flat}`,
    spot: [east - 4, 8],
  }));
  return [
    { name: `${name} lobby`, type: 'panel', model: 'DP-350 Face', at: name, spot: [east, 0], description: 'Main entrance, beside the glass doors' },
    { name: `${name} back door`, type: 'panel', model: 'DP-110', at: name, spot: [east + 6, 26] },
    { name: `${name} bike room`, type: 'access_controller', model: 'AC-2', at: name, spot: [east - 12, 18] },
    { name: `${name} elevator 1`, type: 'lift_controller', model: 'LC-16', at: name, spot: [east, 14] },
    { name: `${name} elevator 2`, type: 'lift_controller', model: 'LC-16', at: name, spot: [east + 3, 14] },
    { name: `${name} lobby camera`, type: 'ip_camera', model: 'IC-8 Dome', at: name, protocol: 'http', spot: [east + 2, 2] },
    ...floors,
    ...monitors,
  ];
};

const riverside: readonly Plan[] = [
  { name: 'Main gate', type: 'panel', model: 'DP-360 Vehicle', at: 'root', spot: [0, -60], description: 'Driveway from the bridge road' },
  { name: 'River gate', type: 'panel', model: 'DP-140', at: 'root', spot: [20, 80] },
  { name: 'Old gate panel', type: 'panel', model: 'DP-110', at: 'root', protocol: 'none', spot: [4, -58], description: 'Replaced; kept as a spare' },
  { name: 'Concierge desk', type: 'monitor', model: 'DM-120 Concierge', at: 'Tower A', spot: [-36, 4] },
  ...tower('Tower A', -40),
  { name: 'Tower B deliveries', type: 'panel', model: 'DP-200 Keypad', at: 'Tower B', spot: [52, 30], description: 'Delivery entrance at the back' },
  ...tower('Tower B', 40),
  { name: 'Parking entrance', type: 'barrier', model: 'BR-6 Plate', at: 'Parking', spot: [-8, -40] },
  { name: 'Parking exit', type: 'barrier', model: 'BR-6 Plate', at: 'Parking', spot: [8, -40] },
  { name: 'Parking entrance plate camera', type: 'ip_camera', model: 'IC-8 Plate', at: 'Parking', protocol: 'http', spot: [-9, -38] },
  { name: 'Parking exit plate camera', type: 'ip_camera', model: 'IC-8 Plate', at: 'Parking', protocol: 'http', spot: [9, -38], offline: true },
  { name: 'Parking door -1', type: 'access_controller', model: 'AC-2', at: 'Parking floor 1', spot: [-20, -20] },
  { name: 'Parking door -2', type: 'access_controller', model: 'AC-2', at: 'Parking floor 2', spot: [-20, -22], offline: true },
  { name: 'Clubhouse entrance', type: 'panel', model: 'DP-200 Keypad', at: 'Clubhouse', spot: [0, 48] },
  { name: 'Gym', type: 'access_controller', model: 'AC-4 QR', at: 'Clubhouse', protocol: 'http', spot: [-6, 54] },
  { name: 'Pool', type: 'access_controller', model: 'AC-4 QR', at: 'Clubhouse', protocol: 'http', spot: [6, 56] },
  { name: 'Meeting rooms', type: 'access_controller', model: 'AC-2 Face', at: 'Clubhouse', spot: [0, 58] },
  { name: 'Clubhouse camera', type: 'ip_camera', model: 'IC-4', at: 'Clubhouse', protocol: 'http', spot: [2, 50] },
];
const harbour: readonly Plan[] = [
  { name: 'Pier 1 entrance', type: 'panel', model: 'DP-200 Keypad', at: 'Pier 1', spot: [0, 0] },
  { name: 'Pier 1 customs hall', type: 'access_controller', model: 'AC-2', at: 'Pier 1', spot: [10, 12] },
  { name: 'Pier 1 freight elevator', type: 'lift_controller', model: 'LC-16', at: 'Pier 1', spot: [12, 14] },
  { name: 'Pier 1 camera', type: 'ip_camera', model: 'IC-4', at: 'Pier 1', protocol: 'http', spot: [2, 3] },
  { name: 'Pier 2 entrance', type: 'panel', model: 'DP-140', at: 'Pier 2', spot: [80, 0] },
  { name: 'Pier 2 workshops', type: 'access_controller', model: 'AC-4 QR', at: 'Pier 2', spot: [84, 20] },
  { name: 'Quay barrier', type: 'barrier', model: 'BR-3', at: 'root', spot: [40, -30] },
];

const middles = { Riverside: { latitude: 52.5107, longitude: 13.4252 }, Harbour: { latitude: 53.5431, longitude: 9.9866 } } as const;
const degreesOf = (metres: number): number => metres / 111_320;
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

const floorsOf = (house: string, tree: readonly DemoGroup[]): FloorEntry[] =>
  tree
    .filter(({ type, path, name }) => type === 'Floor' && tree.some((group) => group.name === house && path.includes(group.id)) && name !== house)
    .map(({ logicAddress, id }, at) => {
      const flats = tree.filter(({ parentId }) => parentId === id).map(({ name }) => name);
      const only = at === 0 ? null : `${flats[0] ?? ''}-${flats.at(-1) ?? ''}`;
      return {
        relay: at + 1,
        floor: at + 1,
        logic_address: logicAddress ?? String(at + 1),
        is_public: at === 0,
        is_panel_floor: false,
        apartments: flats.length > 0 ? only : null,
      };
    });

function settingsOf(plan: Plan, tree: readonly DemoGroup[], number: number, desk: string): Record<string, unknown> {
  const { relays, can } = deviceModel(plan.type, plan.model);
  const { password: _none, ...sip } = defaultDeviceSettings.sip;
  const calls = can.includes('calls');
  const house = plan.at.replace(/ (?:floor|flat) .*/, '');
  return {
    ...defaultDeviceSettings,
    sip: { ...sip, enabled: calls, login: calls ? String(number) : null, rtp_profile: calls ? 'AVP' : null },
    address: {
      ...defaultDeviceSettings.address,
      mode: plan.type === 'panel' ? 'wall' : plan.type === 'monitor' ? 'apartment' : null,
      building: tree.find(({ name }) => name === house)?.logicAddress ?? null,
      apartment: / flat (\d+)$/.exec(plan.at)?.[1] ?? null,
    },
    additional: { ...defaultDeviceSettings.additional, button_numbers: [calls ? desk : null, null, null, null] },
    relays:
      plan.type === 'lift_controller'
        ? []
        : Array.from({ length: relays }, (_, at) => ({
            number: at + 1,
            name: at === 0 ? (plan.type === 'barrier' ? 'Barrier' : 'Door') : 'Spare',
            switch_time: plan.type === 'barrier' ? 1_000 : 5_000,
            is_inverted: false,
          })),
    face_recognition: { ...defaultDeviceSettings.face_recognition, enabled: can.includes('face'), autostart: can.includes('face') },
    lift_controller: {
      ...defaultDeviceSettings.lift_controller,
      enabled: can.includes('lift'),
      settings: { ...defaultDeviceSettings.lift_controller.settings, floor_map: can.includes('lift') ? floorsOf(house, tree) : [] },
    },
    alpr_camera: { ...defaultDeviceSettings.alpr_camera, enabled: can.includes('alpr'), address: can.includes('alpr') ? '10.20.0.60' : null },
  };
}

const initials: Record<DeviceType, string> = {
  panel: 'DP',
  monitor: 'DM',
  access_controller: 'AC',
  lift_controller: 'LC',
  ip_camera: 'IC',
  barrier: 'BR',
};

/** Devices spoken to by HTTP live on this machine, each at an address of its own. */
const addressOf = (protocol: 'http' | 'mqtt', project: 'Riverside' | 'Harbour', index: number): string =>
  `${protocol === 'http' ? '127' : '10'}.${project === 'Riverside' ? 20 : 30}.1.${10 + index}`;

/** What a call button rings: the general number of the project. */
const desks = { Riverside: '700', Harbour: '800' } as const;
/** Numbers are one for the whole installation. */
const firstNumber = { Riverside: 2_001, Harbour: 3_001 } as const;

/** Metres east and north of the middle of a project, in degrees. */
const spotOf = (middle: { latitude: number; longitude: number }, [east, north]: readonly [number, number] = [0, 0]) => ({
  latitude: rounded(middle.latitude + degreesOf(north)),
  longitude: rounded(middle.longitude + degreesOf(east) / Math.cos((middle.latitude * Math.PI) / 180)),
});

type Standing = Pick<DemoDevice, 'online' | 'statusAt' | 'firmware' | 'settingsAppliedAt' | 'syncedAt'>;
/** How a device stands that nobody speaks with. */
const neverHeard: Standing = { online: null, statusAt: null, firmware: null, settingsAppliedAt: null, syncedAt: null };
const lastHeard = (index: number, offline: boolean, at: Date): Standing => ({
  online: !offline,
  statusAt: new Date(at.getTime() - (offline ? lengthOf(7, 'hour') + index * 60_000 : 20_000)),
  firmware: ['4.2.1', '4.2.0', '3.9.6'][index % 3],
  settingsAppliedAt: new Date(at.getTime() - (3 + (index % 40)) * day),
  syncedAt: new Date(at.getTime() - (1 + (index % 9)) * day),
});

/** How device and server know each other: its password towards us, ours towards it. */
const accountsOf = (protocol: 'mqtt' | 'http' | 'none', port: number, seal: (text: string) => string) => ({
  port: protocol === 'http' ? port : 80,
  passwordCipher: protocol === 'none' ? null : seal(freshSecret()),
  deviceLogin: protocol === 'http' ? 'admin' : null,
  devicePasswordCipher: protocol === 'http' ? seal(freshSecret()) : null,
});

/** The devices of a demo project; `seal` keeps their passwords as the installation keeps secrets, `port` is where those spoken to by HTTP answer. */
export function demoDevices(
  project: { id: string; name: 'Riverside' | 'Harbour' },
  tree: readonly DemoGroup[],
  at: Date,
  { seal, port }: { seal: (text: string) => string; port: number },
): DemoDevice[] {
  const plans = project.name === 'Riverside' ? riverside : harbour;
  const madeAt = new Date(at.getTime() - 90 * day);
  return plans.map((plan, index): DemoDevice => {
    const id = demoId(`${project.name} device ${plan.name}`);
    const serial = `${initials[plan.type]}${id.slice(0, 8).toUpperCase()}`;
    const protocol = plan.protocol ?? 'mqtt';
    const settings = settingsOf(plan, tree, firstNumber[project.name] + index, desks[project.name]);
    return {
      id,
      projectId: project.id,
      domainId: demoId(plan.at === 'root' ? `${project.name} root` : `${project.name} ${plan.at}`),
      name: plan.name,
      description: plan.description ?? null,
      type: plan.type,
      model: plan.model,
      login: serial,
      ipAddress: protocol === 'none' ? null : addressOf(protocol, project.name, index),
      ...accountsOf(protocol, port, seal),
      sipPasswordCipher: (settings['sip'] as { enabled: boolean }).enabled ? seal(madePassword()) : null,
      protocol,
      ...spotOf(middles[project.name], plan.spot),
      getLogs: plan.type === 'panel',
      management: { heartbeat: true, realtime_logging: plan.type === 'panel' },
      settings,
      ...(protocol === 'none' ? neverHeard : lastHeard(index, plan.offline === true, at)),
      syncErrors: { identifiers: [], schedules: [] },
      token: randomBytes(24).toString('base64url'),
      createdAt: madeAt,
      updatedAt: madeAt,
    };
  });
}
