import { describe, expect, it } from 'vitest';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import { callCommands } from '#machines/phone/commands.ts';
import { alertsDesk } from '#machines/phone/line.ts';
import type { LegReport } from '#machines/phone/ports.ts';
import { concierge, type FakeLeg, farBye, invite, normalInvite, phoneAtWork, type PhoneAtWork, speech, waiting } from '#tests/support/phone.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const reports: readonly LegReport[] = [
  { type: 'leg.progress' },
  { type: 'leg.confirmed', at: 1, video: false },
  { type: 'leg.confirmed', at: 1, video: false },
  { type: 'leg.held', by: 'us', on: true },
  { type: 'leg.held', by: 'us', on: false },
  { type: 'leg.held', by: 'them', on: true },
  { type: 'leg.holdFailed' },
  { type: 'leg.path', state: 'failed' },
  { type: 'leg.path', state: 'connected' },
  { type: 'leg.flow', incoming: false, outgoing: false },
  { type: 'leg.transferred' },
  { type: 'leg.transferFailed' },
  { type: 'leg.ended', at: 2, end: farBye },
  { type: 'leg.ended', at: 2, end: { ...farBye, cause: 'cancelled' } },
  { type: 'leg.ended', at: 2, end: { ...farBye, cause: 'transport' } },
  { type: 'leg.ended', at: 2, end: { ...farBye, cause: 'refused', status: 486 } },
];
const statuses = ['new', 'calling', 'waiting', 'answered_waiting', 'answered', 'destroyed'] as const;

/** What a far side that agrees says to the last command; nothing to a command that needs no answer. */
function replyTo({ commands, input }: FakeLeg): LegReport | undefined {
  const last = commands.findLast(({ type }) => type !== 'leg.mute' && type !== 'leg.volume');
  if (last?.type === 'leg.hold') return { type: 'leg.held', by: 'us', on: last.on };
  if (last?.type === 'leg.hangUp') return { type: 'leg.ended', at: 2, end: { ...farBye, by: 'us' } };
  return last?.type === 'leg.answer' || (!last && input.kind !== 'incoming') ? { type: 'leg.confirmed', at: 1, video: false } : undefined;
}

/** What never happens, whatever was done. */
function faults({ mirror, legs, heard, phone, live }: PhoneAtWork): string[] {
  const { calls } = mirror();
  const active = calls.filter(({ status }) => status === 'active' || status === 'joining');
  const busy = calls.filter(({ isBusy }) => isBusy);
  const rings = calls.some(alertsDesk);
  const open = calls.filter(({ isBusy, isRinging, isHeld, awaits }) => isBusy || isRinging || isHeld || awaits === 'pause');
  const twice = calls.length - new Set(calls.map(({ speechId }) => speechId)).size;
  return [
    ...(phone.getSnapshot().status === 'active' ? [] : ['the phone is gone']),
    ...(active.length > 1 ? [`${active.length} active calls`] : []),
    ...(busy.length > 1 ? [`${busy.length} calls on the line`] : []),
    ...(live() > open.length ? [`${live()} legs live for ${open.length} calls of ${legs.length}`] : []),
    ...(heard.tone !== null && !rings ? ['a sound without a ringing call'] : []),
    ...(rings && heard.tone === null && calls.some((call) => alertsDesk(call) && !call.isSilenced) ? ['a ringing call without a sound'] : []),
    ...(twice > 0 ? ['a call twice'] : []),
  ];
}

/** One of the things that may happen at a desk at any moment. */
function step(desk: PhoneAtWork, chance: () => number, at: number): string {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];
  const some = 1 + Math.floor(chance() * 12);
  const speechId = speech(some);
  const kind = Math.floor(chance() * 10);
  if (kind === 0) {
    if (!desk.mirror().calls.some((call) => call.speechId === speechId))
      desk.incoming((chance() < 0.5 ? invite : normalInvite)(some, { sos: chance() < 0.2 ? 'yes' : 'no' }));
    return `incoming ${some}`;
  }
  if (kind === 1) {
    desk.dial(pick(['1003', '1004', '1001', 'x']) ?? '', 100 + at);
    return 'dial';
  }
  if (kind === 2) {
    const status = pick(statuses) ?? 'waiting';
    desk.publish(waiting(some, { status, answered_by: status === 'answered' ? (chance() < 0.5 ? '1001' : '1002') : null }));
    return `told ${some} ${status}`;
  }
  if (kind === 3) {
    const action = pick(['approve', 'hold', 'cancel', 'dismissed']) ?? 'cancel';
    if (desk.phone.getSnapshot().hasTag('asking')) desk.answer(action);
    return `answer ${action}`;
  }
  if (kind === 4) {
    const time = pick([100, 1_000, 4_000, 6_000, 20_000, 60_000]) ?? 0;
    desk.clock.increment(time);
    return `wait ${time}`;
  }
  if (kind <= 6) {
    const [leg, report] = [pick(desk.legs.filter(({ isLive, input }) => isLive || input.kind === 'incoming').slice(-4)), pick(reports)];
    const said = (leg && chance() < 0.6 && replyTo(leg)) || report;
    if (leg && said) leg.report(said);
    // Who says yes is mostly heard too.
    if (leg && said?.type === 'leg.confirmed') leg.report({ type: 'leg.path', state: 'connected' });
    return `report ${said?.type}`;
  }
  const call = pick(desk.mirror().calls);
  const type = pick(kind === 7 ? (['call.accept', 'call.resume', 'call.hold'] as const) : callCommands) ?? 'call.hangUp';
  if (call) {
    const rest = { video: false, tone: '5', on: true, level: 0.5, to: '1004', with: pick(desk.mirror().calls)?.speechId ?? '' };
    desk.send({ type, speechId: call.speechId, ...rest } as PhoneCommand);
  }
  return type;
}

describe('two thousand random steps', () => {
  it.each([1, 2, 3])('never two active calls, a live track after the end, or a sound without a call (D28, seed %i)', async (seed) => {
    const desk = await phoneAtWork(concierge);
    const chance = chances(seed);
    const done: string[] = [];
    const seen = { active: 0, held: 0, joined: 0, asked: 0, recalled: 0 };
    for (let at = 0; at < 2_000; at += 1) {
      done.push(step(desk, chance, at));
      expect(faults(desk), done.slice(-12).join('\n')).toEqual([]);
      const { calls } = desk.mirror();
      seen.active += Number(calls.some(({ status }) => status === 'active'));
      seen.held += Number(calls.some(({ isHeld }) => isHeld));
      seen.joined += Number(calls.some(({ status }) => status === 'joining'));
      seen.recalled += Number(calls.some(({ isRecalling }) => isRecalling));
      seen.asked += Number(desk.phone.getSnapshot().hasTag('asking'));
    }
    // The walk went where it hurts.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
    for (const { speechId, isRinging } of desk.mirror().calls) desk.send({ type: isRinging ? 'call.decline' : 'call.hangUp', speechId });
    desk.phone.send({ type: 'person.changed', person: null });
    desk.clock.increment(200_000);
    expect(desk.live()).toBe(0);
    expect(desk.heard.tone).toBeNull();
  });
});
