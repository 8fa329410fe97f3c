import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type RealtimeEvent, topics } from '#models/realtime.ts';
import { farBye, invite, phoneParts, speech, waiting } from '#tests/support/phone.ts';
import { callCard, openStage, phoneButton } from './support/phone-stage.tsx';
import { fill } from './support/user.ts';

/** The panel over a phone that this tab owns; the test holds its ports. */
async function desk(calls: Parameters<typeof waiting>[0][] = []) {
  const parts = phoneParts();
  const stage = await openStage({ machine: parts.machine });
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
  const publish = (event: RealtimeEvent): void => stage.phone.send({ type: 'realtime.events', events: [event] });
  return { ...parts, ...stage, newest, publish, does: (what: () => unknown) => act(async () => void (await what())) };
}
/** The card of the one call there is, and what it says of how the call stands. */
const says = (name: string, words: string): boolean => within(callCard(name)).queryByText(words) !== null;

describe('one call from ring to end', () => {
  it('rings, is answered once, is talked in, opens the door and is over', async () => {
    const { from, newest, does, publish, heard, ports, press } = await desk();
    await does(() => from.agent({ type: 'sip.incoming', call: invite(1) }));
    expect([says('Lobby', 'Ringing'), heard.tone, phoneButton().dataset['ringing']]).toEqual([true, 'call', 'true']);
    await press('Answer');
    expect(newest().commands.map((command) => command.type)).toEqual(['leg.answer']);
    const answers = within(callCard('Lobby')).queryAllByRole<HTMLButtonElement>('button', { name: /^Answer/ });
    expect([answers.map(({ textContent, disabled }) => [textContent, disabled]), heard.tone]).toEqual([[['Answering…', true]], null]);
    await does(() => newest().report({ type: 'leg.confirmed', at: 5_000, video: false }));
    expect(says('Lobby', 'Talking')).toBe(true);
    await does(() => ports.readCallInfo.answer({ address: 'Tower A', user: null, door: true }));
    await press('Open door');
    expect(newest().commands.at(-1)).toEqual({ type: 'leg.dtmf', tone: '#', duration: 160 });
    expect(screen.getByText('Sent. Waiting for the device…').dataset['state']).toBe('sent');
    await does(() => publish({ topic: topics.calls('1001'), name: 'DoorOpened', payload: { call: speech(1) } }));
    expect(screen.getByText('Opened, confirmed by the device').dataset['state']).toBe('confirmed');
    await does(() => newest().report({ type: 'leg.ended', end: farBye, at: 9_000 }));
    expect(callCard('Lobby').dataset['status']).toBe('destroyed');
    expect(says('Lobby', 'The other party hung up')).toBe(true);
  });

  it('asks before the tab is closed as long as somebody is on the line', async () => {
    const { from, newest, does, press } = await desk();
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
    const { newest, press, user } = await desk();
    await fill(user, screen.getByRole('textbox', { name: 'Number' }), '1042');
    await press('Call');
    expect(newest().input).toMatchObject({ kind: 'dial', number: '1042', video: false });
    expect(says('1042', 'Calling…')).toBe(true);
    await press('Cancel');
    expect(newest().commands.at(-1)?.type).toBe('leg.hangUp');
  });

  it('is muted and held, and the buttons say what the next press does', async () => {
    const { from, newest, does, press } = await desk();
    await does(() => from.agent({ type: 'sip.incoming', call: invite(1, { type: 'normal' }) }));
    await press('Answer');
    await does(() => newest().report({ type: 'leg.confirmed', at: 5_000, video: false }));
    await press('Mute');
    expect(newest().commands.at(-1)).toEqual({ type: 'leg.mute', on: true });
    await press('Unmute');
    await press('Hold');
    expect(says('Lobby', 'Putting on hold…')).toBe(true);
    await does(() => newest().report({ type: 'leg.held', by: 'us', on: true }));
    expect(says('Lobby', 'On hold')).toBe(true);
    await press('Resume');
    expect(newest().commands.at(-1)).toEqual({ type: 'leg.hold', on: false });
  });
});

describe('the queue', () => {
  it('is there as it was read, and one is taken by its button', async () => {
    const { newest, user } = await desk([1, 2]);
    const cards = () => within(screen.getByRole('region', { name: 'Calls' })).getAllByRole('listitem');
    expect(cards().map(({ dataset }) => dataset['status'])).toEqual(['paused', 'paused']);
    const [first] = screen.getAllByRole('button', { name: 'Answer' });
    if (!first) throw new Error('nothing to take');
    await user.click(first);
    expect(newest().input).toMatchObject({ kind: 'join', speechId: speech(1) });
    expect(cards().map(({ textContent }) => textContent.includes('Joining…'))).toEqual([true, false]);
  });
});
