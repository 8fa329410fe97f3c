import type { HistoryStatus } from '#models/call.ts';
import { lengthOf } from '#models/time.ts';
import type { calls } from '../schema/index.ts';
import { demoId, dice } from './chance.ts';
import type { DemoDevice } from './devices.ts';
import type { DemoNumber } from './numbers.ts';
import type { DemoPerson } from './people.ts';

type Call = typeof calls.$inferInsert;
const [second, hour, day] = [lengthOf(1, 'second'), lengthOf(1, 'hour'), lengthOf(1, 'day')];
const days = 60;

/** When people ring: seldom at night, most when they come home and when parcels come. */
const rhythm = [1, 0, 0, 0, 0, 1, 3, 6, 8, 9, 10, 10, 9, 8, 7, 7, 8, 11, 13, 12, 9, 6, 4, 2];
const clock = rhythm.flatMap((weight, at) => Array.from({ length: weight }, () => at));
const reasons: Readonly<Record<HistoryStatus, string>> = {
  answered: 'hung_up',
  cancel: 'cancelled',
  busy: 'busy',
  noanswer: 'no_answer',
  failed: 'unreachable',
};
const [mostly, atTheDesk] = [
  ['answered', 'answered', 'answered', 'answered', 'answered', 'answered', 'noanswer', 'noanswer', 'cancel', 'busy', 'failed'],
  ['answered', 'answered', 'answered', 'answered', 'answered', 'answered', 'answered', 'answered', 'answered', 'noanswer', 'cancel'],
] as const satisfies HistoryStatus[][];
const outside = ['+4930901820', '+4930775501', '+491715550182', '+493022714'];
const notes = [
  'Parcel left at the desk',
  'Key handed over',
  'Wanted the plumber’s number',
  'Asked about the gym hours',
  'Visitor for another building',
];

export interface CallingWorld {
  projectId: string;
  numbers: readonly DemoNumber[];
  devices: readonly DemoDevice[];
  people: readonly DemoPerson[];
  queue: DemoNumber;
  at: Date;
}
type End = Pick<Call, 'callerNumber' | 'callerName' | 'callerUserId' | 'callerDeviceId' | 'callerDomainId'>;
const callee = ({ callerNumber, callerName, callerUserId, callerDeviceId, callerDomainId }: End): Partial<Call> & Pick<Call, 'calleeNumber'> => ({
  calleeNumber: callerNumber,
  calleeName: callerName ?? null,
  calleeUserId: callerUserId ?? null,
  calleeDeviceId: callerDeviceId ?? null,
  calleeDomainId: callerDomainId ?? null,
});

/** The ends of calls a demo project has: panels, people at home, those at the desk. */
function endsOf({ numbers, devices, people }: CallingWorld) {
  const home = new Map(people.map(({ user, groupId }) => [user.id, groupId]));
  const place = new Map(devices.map(({ id, domainId }) => [id, domainId]));
  const end = ({ number, name, userId = null, deviceId = null, domainId = null }: DemoNumber): End => ({
    callerNumber: number,
    callerName: name,
    callerUserId: userId,
    callerDeviceId: deviceId,
    callerDomainId: domainId ?? place.get(deviceId ?? '') ?? home.get(userId ?? '') ?? null,
  });
  const kinds = new Map(devices.map(({ id, type }) => [id, type]));
  return {
    end,
    panels: numbers.filter(({ deviceId }) => kinds.get(deviceId ?? '') === 'panel').map(end),
    homes: numbers.filter(({ userId, number }) => userId && (number.length > 4 || number === '1003')).map(end),
    desk: numbers.filter(({ number }) => number === '1001' || number === '1002' || number === '1000'),
  };
}

interface Kind {
  queued?: boolean;
  sos?: boolean;
  trunk?: Call['trunk'];
}
type Ends = ReturnType<typeof endsOf>;
type Dice = ReturnType<typeof dice>;

/** Whether and when a call was taken, and by whom; what a queue rings is answered by somebody at the desk. */
function courseOf(from: End, to: ReturnType<typeof callee>, { queued = false, sos = false }: Kind, { desk }: Ends, { below, pick }: Dice) {
  const status = sos ? 'answered' : queued ? (desk.length > 0 ? pick(atTheDesk) : 'noanswer') : pick(mostly);
  const isAnswered = status === 'answered';
  const by = isAnswered && queued ? pick(desk) : null;
  const answerer = by
    ? { number: by.number, name: by.name, userId: by.userId ?? null }
    : { number: to.calleeNumber, name: to.calleeName ?? null, userId: to.calleeUserId ?? null };
  const waits = (status === 'busy' || status === 'failed' ? 1 : isAnswered ? 3 + below(14) : 12 + below(40)) * second;
  const talks = isAnswered ? (8 + below(from.callerDeviceId ? 50 : 240)) * second : 0;
  return { status, answerer: isAnswered ? answerer : null, waits, talks } as const;
}

/** Writes calls down, numbered from the first on. */
function callBook({ projectId, devices }: CallingWorld, ends: Ends, thrown: Dice) {
  const { pick, chance } = thrown;
  const doors = new Map(devices.map(({ id, name }) => [id, name]));
  const made: Call[] = [];
  const add = (from: End, to: ReturnType<typeof callee>, kind: Kind, time: number): void => {
    const { queued = false, sos = false, trunk = null } = kind;
    const { status, answerer, waits, talks } = courseOf(from, to, kind, ends, thrown);
    const opens = answerer !== null && !sos && from.callerDeviceId !== null && chance(0.66);
    const endedAt = new Date(time + waits + talks);
    made.push({
      id: demoId(`${projectId} call ${made.length}`),
      projectId,
      ...from,
      ...to,
      type: queued ? 'awaiting' : 'normal',
      status: 'destroyed',
      sos,
      video: from.callerDeviceId !== null,
      trunk,
      answeredBy: answerer?.number ?? null,
      answeredByName: answerer?.name ?? null,
      answeredByUserId: answerer?.userId ?? null,
      createdAt: new Date(time),
      answeredAt: answerer ? new Date(time + waits) : null,
      endedAt,
      historyStatus: status,
      endReason: reasons[status],
      doorOpened: opens,
      doorDeviceId: opens ? (from.callerDeviceId ?? null) : null,
      doorDeviceName: opens ? (doors.get(from.callerDeviceId ?? '') ?? null) : null,
      doorOpenedBy: opens ? (answerer?.name ?? null) : null,
      note: queued && answerer && chance(0.08) ? pick(notes) : null,
      noteBy: null,
      parentId: null,
      updatedAt: endedAt,
    });
  };
  return { made, add };
}

/** Sixty days of calls, newest last: panels to flats and to the desk, people among each other, the town by the trunk, now and then an SOS. */
export function demoCalls(world: CallingWorld, perDay: number, seed: number): Call[] {
  const thrown = dice(seed);
  const { below, pick } = thrown;
  const ends = endsOf(world);
  const { end, panels, homes, desk } = ends;
  if (panels.length === 0) return [];
  const { made, add } = callBook(world, ends, thrown);
  const toQueue = callee(end(world.queue));
  const some = (time: number): void => {
    const kind = below(100);
    if (kind < 1 && desk.length > 0) return add(pick(panels), toQueue, { queued: true, sos: true }, time);
    if (kind < 38 || homes.length < 2) return add(pick(panels), toQueue, { queued: true }, time);
    if (kind < 74) return add(pick(panels), callee(pick(homes)), {}, time);
    if (kind < 84) return add(pick(homes), toQueue, { queued: true }, time);
    if (kind < 92) return add(pick(homes), callee(pick(homes)), {}, time);
    if (kind < 96) {
      const nobody = { callerName: null, callerUserId: null, callerDeviceId: null, callerDomainId: null };
      return add({ callerNumber: pick(outside), ...nobody }, toQueue, { queued: true, trunk: 'incoming' }, time);
    }
    return add(pick(homes), { calleeNumber: pick(outside) }, { trunk: 'outgoing' }, time);
  };
  for (let back = days; back >= 0; back -= 1) {
    const midnight = Math.floor(world.at.getTime() / day) * day - back * day;
    const times = Array.from({ length: perDay - 8 + below(16) }, () => midnight + pick(clock) * hour + below(hour));
    for (const time of times.toSorted((one, other) => one - other)) if (time < world.at.getTime() - 600_000) some(time);
  }
  return made;
}
