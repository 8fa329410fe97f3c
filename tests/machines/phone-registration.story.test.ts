import { createActor, fromCallback, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { UserAgentCommand, UserAgentReport } from '#machines/phone/ports.ts';
import { registrationMachine, registrationPause } from '#machines/phone/registration.machine.ts';
import { registrationStates } from '#models/sip.ts';
import { registrationStory } from '#tests/support/stories/registration.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import type { WakeReport } from '#machines/realtime/realtime.machine.ts';
import { streamOf } from '#tests/support/streams.ts';

const standings = {
  registering: 'signingOn',
  registered: 'onDuty',
  unregistering: 'signingOff',
  unregistered: 'offDuty',
  error: 'pausing',
  invalid_registration: 'lockedOut',
} as const;

function driver(): Driver {
  const clock = new SimulatedClock();
  const commands: string[] = [];
  let report: (event: UserAgentReport) => void = () => {};
  let wake = (): void => {};
  const machine = registrationMachine.provide({
    actors: {
      userAgent: fromCallback<UserAgentCommand, { number: string }>(({ sendBack, receive }) => {
        report = sendBack;
        receive(({ type }) => void commands.push(type));
      }),
      wakeups: streamOf<WakeReport>((send) => {
        wake = () => send({ type: 'link.nudged' });
      }),
    },
  });
  const actor = createActor(machine, { input: { number: '1001' }, clock }).start();
  const registers = (): number => commands.filter((type) => type === 'sip.register').length;
  /** One REGISTER, after exactly this long and not before. */
  const after = (time: number) => () => {
    const before = registers();
    clock.increment(time - 1);
    expect(registers()).toBe(before);
    clock.increment(1);
    expect(registers()).toBe(before + 1);
  };
  return {
    where: () => standings[registrationStates.find((state) => actor.getSnapshot().hasTag(state)) ?? 'error'],
    words: {
      isOn: () => report({ type: 'sip.registered' }),
      isOff: () => report({ type: 'sip.unregistered' }),
      noServer: () => report({ type: 'sip.failed', invalid: false, chance: 0.5 }),
      lineLost: () => report({ type: 'sip.failed', invalid: false, chance: 0.5 }),
      wrongSecret: () => report({ type: 'sip.failed', invalid: true, chance: 0.5 }),
      secretTakenAway: () => report({ type: 'sip.failed', invalid: true, chance: 0.5 }),
      noAnswer: () => clock.increment(actor.getSnapshot().hasTag('registering') ? 10_000 : 5_000),
      fiveSeconds: after(5_000),
      thirtySeconds: after(30_000),
      backAwake: () => wake(),
      networkChanges: () => {
        wake();
        expect(commands.at(-1)).toBe('sip.probe');
      },
      tryNow: () => actor.send({ type: 'phone.register' }),
      goOffDuty: () => actor.send({ type: 'phone.unregister' }),
    },
    buttons: [
      { name: 'go on duty', words: ['tryNow'], isThere: () => actor.getSnapshot().can({ type: 'phone.register' }) },
      { name: 'go off duty', words: ['goOffDuty'], isThere: () => actor.getSnapshot().can({ type: 'phone.unregister' }) },
    ],
  };
}

describe('the registration, as told', () => {
  runStory(registrationStory, driver);

  it('pauses 10 % more or less (D3), and longer after ten failures in a row, a minute at most', () => {
    const pause = (failures: number, chance: number): number => registrationPause(5_000, { failures, chance });
    expect([pause(1, 0), pause(1, 0.5), pause(1, 1)]).toEqual([4_500, 5_000, 5_500]);
    expect([pause(10, 0.5), pause(12, 0.5), pause(40, 0.5)]).toEqual([5_000, 20_000, 60_000]);
    expect(registrationPause(30_000, { failures: 3, chance: 0.5 })).toBe(30_000);
  });
});
