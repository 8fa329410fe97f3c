import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyActorLogic, type AnyStateMachine, createActor, StateMachine } from 'xstate';
import { describe, expect, it } from 'vitest';
import { allMachines } from '#machines/index.ts';
import { Unplugged } from '#machines/port.ts';
import { carelessInvokes, endlessWaits, nodesOf } from '#tests/support/actor-tree.ts';

const root = join(import.meta.dirname, '../..');
const files = readdirSync(join(root, 'machines'), { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.machine.ts'));
const nounOf = (file: string): string =>
  (file.split('/').at(-1) ?? '').replace('.machine.ts', '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Actors that live as long as the state they are invoked in: other machines, and ports that report. */
const lasting = [
  'otherTabs',
  'alerts',
  'session',
  'console',
  'workspace',
  'pageMemory',
  'reader',
  'realtime',
  'wakeups',
  'socket',
  'licence',
  'sounds',
  'notifications',
  'alarms',
  'speaker',
  'outside',
  'appPromotion',
  'preview',
  'savedViews',
  'conversations',
  'emergency',
  'holdWrites',
  'phone',
  'tabs',
  'phoneTabs',
  'registration',
  'userAgent',
  'callLeg',
  'mediaWatch',
  'waitingCalls',
  'interception',
  'door',
  'contacts',
  'recents',
  'keypad',
  'selfTest',
  'ringer',
  'ringerSound',
  'lastDialled',
  'notifier',
  'mediaDevices',
  'headset',
];

it('every machine file holds the machine of its noun, and all of them are known', async () => {
  const found = await Promise.all(
    files.map(async (file) => {
      const module = (await import(join(root, 'machines', file))) as Record<string, unknown>;
      return (module[`${nounOf(file)}Machine`] as AnyStateMachine | undefined)?.id;
    }),
  );
  expect(found).toEqual(files.map(nounOf));
  expect(new Set(allMachines.map(({ id }) => id))).toEqual(new Set(found));
});

it('every machine file opens with what it keeps in order, who spawns it, what it asks and tells', () => {
  const heads = [/^\/\/ Keeps in order: ./, /^\/\/ Spawned by: ./, /^\/\/ Asks \(ports\): ./, /^\/\/ Tells \(facts\): ./];
  const wrong = files.filter((file) => {
    const lines = readFileSync(join(root, 'machines', file), 'utf8').split('\n');
    return heads.some((head, at) => !head.test(lines[at] ?? ''));
  });
  expect(wrong).toEqual([]);
});

it('system ids are those of the singletons', () => {
  const ids = allMachines.flatMap((machine) => nodesOf(machine.root).flatMap((node) => node.invoke.flatMap(({ systemId }) => systemId ?? [])));
  expect(ids.toSorted()).toEqual(['alarms', 'alerts', 'licence', 'notifications', 'phone', 'realtime', 'session', 'sounds', 'workspace']);
});

/** What stands in a chart where a name should. */
function unnamed(config: unknown, path: string): string[] {
  if (typeof config !== 'object' || config === null) return [];
  return Object.entries(config).flatMap(([key, value]) => {
    const here = `${path}.${key}`;
    const named = (part: unknown) =>
      typeof part === 'string' || (typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string');
    if (['actions', 'entry', 'exit'].includes(key)) return [value].flat().every(named) ? [] : [here];
    if (key === 'guard') return named(value) ? [] : [here];
    if (key === 'src') return typeof value === 'string' ? [] : [here];
    if (key === 'after') return Object.keys(value as object).some((delay) => /^\d+$/.test(delay)) ? [here] : unnamed(value, here);
    return ['input', 'context', 'output', 'params'].includes(key) ? [] : unnamed(value, here);
  });
}

/** What comes of starting an actor all by itself. */
const failureOf = (logic: AnyActorLogic): Promise<unknown> =>
  new Promise((resolve) => {
    const actor = createActor(logic, { input: {} });
    actor.subscribe({ error: resolve, complete: () => resolve('it ended') });
    actor.start();
  });

for (const machine of allMachines)
  describe(`the laws for ${machine.id}`, () => {
    it('no invocation could bring it down unheard', () => expect(carelessInvokes(machine)).toEqual([]));

    it('no state waits for an answer without end', () => expect(endlessWaits(machine, lasting)).toEqual([]));

    it('its events are spelled subject.verb', () => {
      const own = machine.events.filter((type) => !type.startsWith('xstate.'));
      expect(own.filter((type) => !/^[a-z][a-zA-Z]*(\.[a-z][a-zA-Z]*)+$/.test(type))).toEqual([]);
    });

    it('its chart only names things', () => expect(unnamed(machine.config, machine.id)).toEqual([]));

    it('has a map', () => expect(existsSync(join(root, 'tests/machines/maps', `${machine.id}.txt`))).toBe(true));

    it('its ports are loudly unplugged', async () => {
      const ports = Object.entries(machine.implementations.actors as Record<string, AnyActorLogic>).filter(
        ([, logic]) => !(logic instanceof StateMachine),
      );
      const failures = await Promise.all(ports.map(async ([name, logic]) => ({ name, failure: await failureOf(logic) })));
      expect(failures.filter(({ failure }) => !(failure instanceof Unplugged))).toEqual([]);
    });
  });
