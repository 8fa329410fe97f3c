import type { CallType } from '#models/call.ts';
import type { Db } from '#server/db/database.ts';
import { type CalledGroup, groupByAddress, groupById, hasDesk, type Holder, holderOfNumber, interceptorsOf, nearestQueue } from './directory.ts';
import type { Callee, Caller, Found } from './found.ts';
import { mayCall } from './may-call.ts';
import { type Means, phoneOf, ringOf, stagesOfGroup, stagesOfNumber } from './stages.ts';
import { mayUseTrunk, placeOfOutgoing } from './trunks.ts';
import type { Route, Stage } from './types.ts';

/** Seconds those who intercept are rung before the one called is. */
const interceptSeconds = 10;
/** Seconds of talk at most, where no panel sets a limit of its own. */
const longestTalk = 14_400;

const unknownCallee = (number: string): Callee => ({ number, name: null, userId: null, deviceId: null, domainId: null });
const calleeOf = (holder: Holder): Callee => ({
  number: holder.number,
  name: holder.name,
  userId: holder.userId,
  deviceId: holder.deviceId,
  domainId: holder.groupId,
});
const refused = (number: string, status: number, reason: string): Found => ({
  route: { kind: 'refused', status, reason },
  callee: unknownCallee(number),
  scope: [],
  interceptors: [],
});

/** What is called: a number with somebody behind it, or a group. */
type Target = { holder: Holder | null; group: CalledGroup | null };

async function targetOf(db: Db, caller: Caller, number: string): Promise<Target | null> {
  const holder = await holderOfNumber(db, number);
  if (holder && holder.projectId === caller.projectId) return { holder, group: holder.domainId ? await groupById(db, holder.domainId) : null };
  const group = caller.holder && caller.holder.path.length > 0 ? await groupByAddress(db, caller.projectId, caller.holder.path, number) : null;
  return group ? { holder: null, group } : null;
}

/** Finds where a call to a number leads, and whom it may ring there (the rules of telephony design 2). */
export async function findRoute(means: Means, caller: Caller, number: string, sos: boolean): Promise<Found> {
  const { db } = means;
  if (caller.holder?.number === number) return refused(number, 403, 'own_number');
  if (sos) return (await toNearestDesk(db, caller, caller.holder?.path ?? [])) ?? findRoute(means, caller, number, false);
  const target = await targetOf(db, caller, number);
  if (!target) return outside(db, caller, number);
  if (!(await mayCall(db, caller.holder, target.holder, target.group))) return refused(number, 403, 'forbidden');
  return target.group ? toGroup(means, caller, target.group, target.holder, number) : toHolder(db, caller, target.holder, number);
}

/** To the nearest desk from a place upwards, as an SOS call goes whatever was dialled; null where no group has one. */
async function toNearestDesk(db: Db, caller: Caller, path: readonly string[]): Promise<Found | null> {
  const queue = await nearestQueue(db, path);
  if (!queue) return null;
  return {
    route: { kind: 'open', type: 'awaiting', stages: [], queue: true, talkSeconds: longestTalk },
    callee: calleeOf(queue),
    scope: scopeOf(caller, queue.path),
    interceptors: [],
  };
}

const scopeOf = (caller: Caller, path: readonly string[]): string[] => [...new Set([...path, ...(caller.holder?.path ?? [])])];
const talkOf = (...ends: (Holder | null)[]): number => Math.min(longestTalk, ...ends.flatMap((end) => end?.talkSeconds ?? []));

async function toGroup(means: Means, caller: Caller, group: CalledGroup, general: Holder | null, number: string): Promise<Found> {
  const { db } = means;
  const callee: Callee = { number: general?.number ?? number, name: general?.name ?? group.name, userId: null, deviceId: null, domainId: group.id };
  const scope = scopeOf(caller, group.path);
  const isQueue = await hasDesk(db, group.id);
  const stages = isQueue && !group.forwardEnabled ? [] : await stagesOfGroup(means, caller.projectId, group);
  if (isQueue) return { route: open('awaiting', stages, true, caller), callee, scope, interceptors: [] };
  return intercepted(db, caller, { route: open('normal', stages, false, caller), callee, scope, interceptors: [] });
}

async function toHolder(db: Db, caller: Caller, holder: Holder | null, number: string): Promise<Found> {
  if (!holder) return outside(db, caller, number);
  const stages = await stagesOfNumber(db, holder);
  const route: Route = { ...open('normal', stages, false, caller), talkSeconds: talkOf(caller.holder, holder) };
  return intercepted(db, caller, { route, callee: calleeOf(holder), scope: scopeOf(caller, holder.path), interceptors: [] });
}

const open = (type: CallType, stages: readonly Stage[], queue: boolean, { holder }: Caller) =>
  ({ kind: 'open', type, stages, queue, talkSeconds: talkOf(holder) }) as const;

/** Those who intercept a panel's group are rung first. */
async function intercepted(db: Db, { holder, projectId }: Caller, found: Found): Promise<Found> {
  if (!holder?.deviceId || found.route.kind === 'refused') return found;
  const called = found.route.stages.flatMap(({ rings }) => rings.map(({ number }) => number));
  const those = (await interceptorsOf(db, projectId, holder.path)).filter(({ number }) => !called.includes(number));
  if (those.length === 0) return found;
  const first: Stage = { rings: those.map((one) => ringOf(one, 'interceptor')), seconds: interceptSeconds, goesOnAfterError: true };
  return { ...found, route: { ...found.route, stages: [first, ...found.route.stages] }, interceptors: those.map(({ number }) => number) };
}

/** A number that is none of ours goes out through a trunk of the caller's groups; what comes in for a trunk's own number goes to the desk. */
async function outside(db: Db, caller: Caller, number: string): Promise<Found> {
  const place = caller.holder ? null : await placeOfOutgoing(db, caller.projectId, number);
  const atDesk = place && (await toNearestDesk(db, caller, place));
  if (atDesk) return atDesk;
  if (!(await mayUseTrunk(db, caller))) return refused(number, 404, 'unknown_number');
  const stage: Stage = { rings: [phoneOf(number)], seconds: 60, goesOnAfterError: true };
  return { route: open('normal', [stage], false, caller), callee: unknownCallee(number), scope: caller.holder?.path ?? [], interceptors: [] };
}
