import { expect, it } from 'vitest';
import { openSelfTest } from '#src/adapters/phone/self-test.ts';

/** A quiet machine: no microphone, no loudspeaker; the clock is 2 s fast. */
const deps = (line: unknown): Parameters<typeof openSelfTest>[0] => ({
  isSecure: true,
  media: { support: () => null, takeOne: () => Promise.resolve('notFound') },
  context: () => null,
  permission: () => 'granted',
  line: () => line as null,
  serverTime: () => Promise.resolve(10_000),
  now: () => 12_000,
});
const line = {
  own: 'sip:1001@host',
  iceServers: () => [],
  agent: {
    isConnected: () => true,
    isRegistered: () => true,
    sendOptions: (_: string, __: null, { eventHandlers }: { eventHandlers: { succeeded: () => void } }) => eventHandlers.succeeded(),
  },
};
const outcomes = async (of: unknown): Promise<Record<string, string>> =>
  Object.fromEntries((await openSelfTest(deps(of))()).map(({ check, outcome }) => [check, outcome]));

it('the check before a shift answers everything a call needs', async () => {
  expect(await outcomes(line)).toEqual({
    secure: 'passed',
    support: 'passed',
    microphone: 'failed',
    ringer: 'failed',
    notifications: 'passed',
    registration: 'passed',
    candidates: 'failed',
    socket: 'passed',
    clock: 'passed',
  });
});
it('in a tab that follows another one’s phone it finds no fault with a line that is not there', async () => {
  expect(Object.keys(await outcomes(null))).not.toEqual(expect.arrayContaining(['registration']));
  expect(Object.keys(await outcomes(null))).not.toEqual(expect.arrayContaining(['socket']));
});
