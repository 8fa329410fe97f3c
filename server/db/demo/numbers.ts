import { constants } from '#models/constants.ts';
import { lengthOf } from '#models/time.ts';
import { madePassword } from '#server/modules/sip-numbers/of-device.ts';
import type { sipNumbers } from '../schema/index.ts';
import { demoId } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import type { DemoPerson } from './people.ts';
import type { DemoGroup } from './tree.ts';

export type DemoNumber = typeof sipNumbers.$inferInsert & { id: string };
export interface NumberedWorld {
  id: string;
  name: 'Riverside' | 'Harbour';
  tree: readonly DemoGroup[];
  staff: readonly DemoPerson[];
  people: readonly DemoPerson[];
  devices: readonly DemoDevice[];
  at: Date;
  seal: (text: string) => string;
}

/** The numbers of those who sign in to the demo. */
const staffNumbers: Readonly<Record<string, string>> = { admin: '1000', concierge: '1001', concierge2: '1002', resident: '1003', manager: '1004' };
const queues = { Riverside: ['700', 'Concierge'], Harbour: ['800', 'Harbour office'] } as const;
/** So many residents have a number of their own. */
const residentsWithNumber = 120;
const day = lengthOf(1, 'day');

/** The house a flat stands in, by its digit. */
const houseOf = (tree: readonly DemoGroup[], flat: DemoGroup): string =>
  tree.find(({ id, type }) => type === 'Building' && flat.path.includes(id))?.logicAddress ?? '9';

/** One number for every flat, then second ones from the first flat on: house, place in the family, flat as three digits. */
function residentNumbers({ tree, people }: NumberedWorld): { person: DemoPerson; number: string }[] {
  const flats = tree.filter(({ type }) => type === 'Apartment');
  const family = (flat: DemoGroup) => people.filter(({ user, groupId }) => groupId === flat.id && user.activatedAt);
  return [0, 1]
    .flatMap((place) =>
      flats.flatMap((flat) => {
        const person = family(flat)[place];
        return person ? [{ person, number: `${houseOf(tree, flat)}${place}${flat.name.padStart(3, '0')}` }] : [];
      }),
    )
    .slice(0, residentsWithNumber);
}

/** Numbers of a project, in use and nobody's unless something else is said. */
const rowsOf =
  (projectId: string, createdAt: Date) =>
  (number: string, name: string, more: Partial<DemoNumber>): DemoNumber => ({
    id: demoId(`number ${number}`),
    projectId,
    number,
    name: name.slice(0, constants.nameLength.max),
    passwordCipher: null,
    isActive: true,
    isReserved: false,
    isSystem: false,
    userId: null,
    deviceId: null,
    domainId: null,
    forwardMode: 'disabled',
    createdAt,
    updatedAt: createdAt,
    ...more,
  });

/** The virtual numbers of a demo project: its staff, the flats' people, panels, the queue, and some that nobody has yet. */
export function demoNumbers(world: NumberedWorld): DemoNumber[] {
  const { id: projectId, name: project, staff, devices, at, seal } = world;
  const row = rowsOf(projectId, new Date(at.getTime() - 89 * day));
  const [queue, queueName] = queues[project];
  const isHome = project === 'Riverside';
  const withSip = devices.flatMap((device) => {
    const { login, enabled } = (device.settings['sip'] ?? {}) as { login?: string | null; enabled?: boolean };
    return enabled && login ? [row(login, device.name, { deviceId: device.id, passwordCipher: device.sipPasswordCipher ?? null })] : [];
  });
  const spare = isHome ? Array.from({ length: 12 }, (_, at) => String(1100 + at)) : [];
  return [
    row(queue, queueName, { domainId: demoId(`${project} root`), isSystem: true }),
    ...(isHome
      ? staff.flatMap(({ user }) => {
          const number = staffNumbers[user.login];
          return number ? [row(number, user.name, { userId: user.id, ...(user.login === 'manager' && { forwardMode: 'manual' as const }) })] : [];
        })
      : []),
    ...withSip,
    ...(isHome ? residentNumbers(world).map(({ person: { user }, number }) => row(number, user.name, { userId: user.id })) : []),
    ...spare.map((number, place) =>
      row(number, place < 2 ? `Gym phone ${place + 1}` : `Spare ${number}`, {
        passwordCipher: seal(madePassword()),
        isReserved: place >= 10,
        isActive: place !== 9,
      }),
    ),
  ];
}
