import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { type RealtimeEvent, topics } from '#models/realtime.ts';
import { farBye, invite, phoneParts, speech, waiting } from '#tests/support/phone.ts';
import { all, one, press, type } from './support/area-page.ts';
import { openStage } from './support/phone-stage.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let stage: Awaited<ReturnType<typeof openStage>> | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** The panel over a phone that this tab owns; the test holds its ports. */
async function desk(calls: Parameters<typeof waiting>[0][] = []) {
  const parts = phoneParts();
  stage = await openStage({ machine: parts.machine });
  await act(async () => {
    parts.from.tabs({ type: 'tabs.elected' });
    parts.from.agent({ type: 'sip.registered' });
    parts.from.ringer({ type: 'ringer.armed' });
    await parts.ports.readPhoneSettings.answer({ queues: [{ number: '700', name: 'Riverside', group: 'Riverside' }], recall_seconds: 60 });
    await parts.ports.readWaiting.answer({ calls: calls.map((number) => waiting(number)), at: null });
  });
  const newest = () => {
    const leg = parts.legs.at(-1);
    if (!leg) throw new Error('there is no leg');
    return leg;
  };
  const { phone } = stage;
  const told = (event: RealtimeEvent): void => phone.send({ type: 'realtime.events', events: [event] });
  return { ...parts, newest, told, does: (what: () => unknown) => act(async () => void (await what())) };
}
const standing = (): string | null => one('.call-standing').textContent;

describe('one call from ring to end', () => {
  it('rings, is answered once, is talked in, opens the door and is over', async () => {
    const { from, newest, does, told, heard, ports } = await desk();
    await does(() => from.agent({ type: 'sip.incoming', call: invite(1) }));
    expect([one('.call-title').textContent, standing(), heard.tone]).toEqual(['Lobby', 'Ringing', 'call']);
    expect(one('.phone-button').dataset['ringing']).toBe('true');
    await press('Answer');
    expect(newest().commands.map((command) => command.type)).toEqual(['leg.answer']);
    expect([standing(), heard.tone, all('.call-acts .button-good:not([disabled])').length]).toEqual(['Answering…', null, 0]);
    await does(() => newest().report({ type: 'leg.confirmed', at: 5_000, video: false }));
    expect(standing()).toBe('Talking');
    await does(() => ports.readCallInfo.answer({ address: 'Tower A', user: null, door: true }));
    await press('Open door');
    expect(newest().commands.at(-1)).toEqual({ type: 'leg.dtmf', tone: '#', duration: 160 });
    expect(one('.door-outcome').dataset['state']).toBe('sent');
    await does(() => told({ topic: topics.calls('1001'), name: 'DoorOpened', payload: { call: speech(1) } }));
    expect(one('.door-outcome').dataset['state']).toBe('confirmed');
    await does(() => newest().report({ type: 'leg.ended', end: farBye, at: 9_000 }));
    expect(one('.call').dataset['status']).toBe('destroyed');
    expect(one('.call-state').textContent).toContain('The other party hung up');
  });

  it('asks before the tab is closed as long as somebody is on the line', async () => {
    const { from, newest, does } = await desk();
    const leaving = () => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await does(() => from.agent({ type: 'sip.incoming', call: invite(1) }));
    expect(leaving()).toBe(false);
    await press('Answer');
    await does(() => newest().report({ type: 'leg.confirmed', at: 5_000, video: false }));
    expect(leaving()).toBe(true);
    await does(() => newest().report({ type: 'leg.ended', end: farBye, at: 9_000 }));
    expect(leaving()).toBe(false);
  });

  it('is dialled from the keypad and cancelled', async () => {
    const { newest } = await desk();
    await type('.keypad-number', '1042');
    await press('Call');
    expect(newest().input).toMatchObject({ kind: 'dial', number: '1042', video: false });
    expect(standing()).toBe('Calling…');
    await press('Cancel');
    expect(newest().commands.at(-1)?.type).toBe('leg.hangUp');
  });

  it('is muted and held, and the buttons say what the next press does', async () => {
    const { from, newest, does } = await desk();
    await does(() => from.agent({ type: 'sip.incoming', call: invite(1, { type: 'normal' }) }));
    await press('Answer');
    await does(() => newest().report({ type: 'leg.confirmed', at: 5_000, video: false }));
    await press('Mute');
    expect(newest().commands.at(-1)).toEqual({ type: 'leg.mute', on: true });
    await press('Unmute');
    await press('Hold');
    expect(standing()).toBe('Putting on hold…');
    await does(() => newest().report({ type: 'leg.held', by: 'us', on: true }));
    expect(standing()).toBe('On hold');
    await press('Resume');
    expect(newest().commands.at(-1)).toEqual({ type: 'leg.hold', on: false });
  });
});

describe('the queue', () => {
  it('is there as it was read, and one is taken by its button', async () => {
    const { newest } = await desk([1, 2]);
    expect(all('.call').map(({ dataset }) => dataset['status'])).toEqual(['paused', 'paused']);
    const [first] = all('.call .button-good');
    if (!first) throw new Error('nothing to take');
    await press(first);
    expect(newest().input).toMatchObject({ kind: 'join', speechId: speech(1) });
    expect(all('.call-standing')[0]?.textContent).toBe('Joining…');
  });
});
