import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type EventFromLogic,
  initialTransition,
  type InputFrom,
  transition,
} from 'xstate';
import { expect, it } from 'vitest';

type OwnEvents<E> = E extends { type: `xstate.${string}` } ? never : E;
/** One sample or several of every event that a machine knows. */
export type Samples<E extends { type: string }> = {
  [T in OwnEvents<E>['type']]: Extract<E, { type: T }> | readonly Extract<E, { type: T }>[];
};

export interface Walk<M extends AnyStateMachine> {
  /** One input or several to start from. */
  inputs: readonly InputFrom<M>[];
  samples: Samples<EventFromLogic<M>>;
  /** What each invoked actor may answer, by invoke id; every id must be there. */
  answers?: Readonly<Record<string, readonly unknown[]>>;
  /** What each invoked actor may fail with, where a refusal differs from being out of reach. */
  failures?: Readonly<Record<string, readonly unknown[]>>;
  /** Ends and failures of spawned children, as they arrive. */
  children?: readonly AnyEventObject[];
  /** Tells snapshots of one state apart by what guards look at, in words; shown after the state's name. */
  words?: (snapshot: AnyMachineSnapshot & { context: never }) => string;
}

const marker = 'map.taken';
const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];
const transitionsOf = (node: AnyStateNode) =>
  [...node.transitions.entries()].flatMap(([type, list]) => list.map((definition, at) => ({ type, at, definition })));

/** A copy of the machine each of whose transitions says that it was taken; the names of all of them. */
function marked<M extends AnyStateMachine>(machine: M): { machine: M; transitions: Map<string, string> } {
  const copy = machine.provide({}) as M;
  const transitions = new Map<string, string>();
  for (const node of nodesOf(copy.root)) {
    const always = (node.always ?? []).map((definition, at) => ({ type: 'always', at, definition }));
    for (const { type, at, definition } of [...transitionsOf(node), ...always]) {
      const name = `${node.id} --${type}[${at}]`;
      transitions.set(name, node.id);
      (definition as { actions: readonly unknown[] }).actions = [{ type: marker, params: { name } }, ...definition.actions];
    }
  }
  return { machine: copy, transitions };
}

interface Step {
  type: string;
  params?: unknown;
}
interface Params {
  name?: string;
  targetId?: string;
  to?: { id: string };
  event?: { type: string };
  id?: string;
}
/** One effect in the words of the map; starting and stopping invoked ports follows from the states and is left out. */
function effect({ type, params }: Step): string | undefined {
  const p = (params ?? {}) as Params;
  if (type === 'xstate.sendTo') return `${p.targetId ?? p.to?.id} ! ${p.event?.type}`;
  if (type === 'xstate.emit') return `emit ${p.event?.type}`;
  if (type === 'xstate.spawnChild') return `start ${p.id}`;
  if (type === 'xstate.stopChild') return p.id ? `stop ${p.id}` : undefined;
  return type.startsWith('xstate.') || type === marker ? undefined : type;
}

const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part !== null && typeof part === 'object' && 'sessionId' in part ? 'actor' : part)) ?? '';
function changed(from: AnyMachineSnapshot, to: AnyMachineSnapshot): string[] {
  const [before, after] = [from.context, to.context] as [Record<string, unknown>, Record<string, unknown>];
  const keys = Object.keys({ ...before, ...after }).filter((key) => plain(before[key]) !== plain(after[key]));
  return keys.length > 0 ? [`set ${keys.join(' ')}`] : [];
}

const list = (sample: unknown): readonly AnyEventObject[] => (Array.isArray(sample) ? sample : [sample]) as readonly AnyEventObject[];

/** Every event the walk tries: the samples, the machine's own timers, and the answers of its ports. */
function eventsOf(
  machine: AnyStateMachine,
  walk: {
    samples: object;
    answers?: Walk<AnyStateMachine>['answers'];
    failures?: Walk<AnyStateMachine>['failures'];
    children?: readonly AnyEventObject[];
  },
): AnyEventObject[] {
  const { samples, answers = {}, failures = {}, children = [] } = walk;
  const timers = machine.events.filter((type) => type.startsWith('xstate.after.')).map((type) => ({ type }));
  const ports = nodesOf(machine.root).flatMap((node) => node.invoke.map(({ id }) => id));
  const answered = [...new Set(ports)].flatMap((id) => {
    const outputs = answers[id];
    if (!outputs) throw new Error(`the walk of ${machine.id} has no answers for ${id}`);
    const errors = failures[id] ?? [{ code: 'unavailable' }];
    return [
      ...outputs.map((output) => ({ type: `xstate.done.actor.${id}`, output, actorId: id })),
      ...errors.map((error) => ({ type: `xstate.error.actor.${id}`, error, actorId: id })),
    ];
  });
  return [...Object.values(samples).flatMap(list), ...timers, ...answered, ...children];
}

/** A state's value in the short form of the map: `page.ready removal.idle`; of a parallel machine only the regions named. */
function valueName({ value }: AnyMachineSnapshot, regions?: readonly string[]): string {
  const write = (part: unknown): string =>
    typeof part === 'string'
      ? part
      : Object.entries(part as object)
          .filter(([key]) => part !== value || !regions || regions.includes(key))
          .map(([key, inner]: [string, unknown]) => `${key}.${write(inner)}`)
          .join(' ');
  return typeof value === 'string' && regions ? '' : write(value);
}
/**
 * The regions of a parallel machine in which something happened; of any other machine none if only the root reacted and
 * the state stayed: such a line reads the same in every state and is written once.
 */
function regionsOf({ root }: AnyStateMachine, stayed: boolean, actions: readonly Step[]): string[] | undefined {
  const taken = actions.filter(({ type }) => type === marker).map(({ params }) => (params as Params).name ?? '');
  if (root.type === 'parallel')
    return Object.keys(root.states).filter((region) => taken.some((name) => new RegExp(`^${root.id}\\.${region}[. ]`).test(name)));
  return stayed && taken.every((name) => name.startsWith(`${root.id} --`)) ? [] : undefined;
}
const eventName = (type: string): string =>
  type
    .replace(/^xstate\.after\.(\w+)\..*$/, 'after $1')
    .replace(/^xstate\.done\.actor\.(.*)$/, '$1 answered')
    .replace(/^xstate\.error\.actor\.(.*)$/, '$1 failed');
const label = ({ type }: AnyEventObject, at: number, of: readonly AnyEventObject[]): string => {
  const same = of.filter((event) => event.type === type);
  return same.length > 1 ? `${eventName(type)}#${same.indexOf(of[at] as AnyEventObject) + 1}` : eventName(type);
};

/**
 * Walks every event through every state of the real machine by the pure transition function: one line a change,
 * `from --event--> to / effects`; besides, which states were never reached and which transitions never taken.
 */
function walkMachine<M extends AnyStateMachine>(original: M, walk: Walk<M>): { map: string; missed: string[]; snapshots: AnyMachineSnapshot[] } {
  const { machine, transitions } = marked(original);
  const events = eventsOf(machine, walk);
  const words = walk.words as ((snapshot: AnyMachineSnapshot) => string) | undefined;
  const name = (snapshot: AnyMachineSnapshot, regions?: readonly string[]) =>
    [valueName(snapshot, regions), words?.(snapshot)].filter(Boolean).join(' ') || 'living';
  const lines = new Set<string>();
  const seen = new Map<string, AnyMachineSnapshot>();
  const reached = new Set<string>();
  const note = (snapshot: AnyMachineSnapshot, actions: readonly Step[]) => {
    for (const node of (snapshot as unknown as { _nodes: AnyStateNode[] })._nodes) reached.add(node.id);
    for (const { type, params } of actions)
      if (type === marker) {
        const taken = (params as { name: string }).name;
        reached.add(transitions.get(taken) ?? '');
        transitions.delete(taken);
      }
  };
  const queue = walk.inputs.map((input) => {
    const [first, actions] = initialTransition(machine, input as never) as [AnyMachineSnapshot, Step[]];
    note(first, actions);
    lines.add(`--> ${name(first)}${written(actions.map(effect))}`);
    return first;
  });
  for (let from = queue.shift(); from; from = queue.shift()) {
    if (seen.has(name(from))) continue;
    seen.set(name(from), from);
    if (seen.size > 1_000) throw new Error(`the map of ${machine.id} does not end: its words tell too many snapshots apart`);
    if (from.status !== 'active') continue;
    for (const [at, event] of events.entries()) {
      const [to, actions] = transition(machine, from as never, event as never) as unknown as [AnyMachineSnapshot, Step[]];
      note(to, actions);
      if (!actions.some(({ type }) => type === marker)) continue;
      queue.push(to);
      const effects = [...actions.map(effect), ...changed(from, to)].filter(Boolean);
      if (name(from) === name(to) && effects.length === 0) continue;
      const stayed = JSON.stringify(from.value) === JSON.stringify(to.value);
      const regions = regionsOf(machine, stayed, actions);
      if (regions?.length === 0 && name(from) === name(to)) {
        lines.add(`any --${label(event, at, events)}--> same${written(effects)}`);
        continue;
      }
      lines.add(`${name(from, regions)} --${label(event, at, events)}--> ${name(to, regions)}${written(effects)}`);
    }
  }
  const states = nodesOf(machine.root).filter(({ id, type }) => type !== 'history' && !reached.has(id));
  return {
    map: `${[...lines].join('\n')}\n`,
    missed: [...states.map(({ id }) => `state ${id}`), ...[...transitions.keys()].map((taken) => `transition ${taken}`)],
    snapshots: [...seen.values()],
  };
}
const written = (effects: readonly (string | undefined)[]): string => {
  const said = effects.filter(Boolean);
  return said.length > 0 ? ` / ${said.join(', ')}` : '';
};

/** Context as data only: no class instances, no handles; references to actors are allowed. */
function impurities(value: unknown, path = 'context'): string[] {
  if (value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)) return [];
  if (typeof value !== 'object') return [`${path} is a ${typeof value}`];
  if ('sessionId' in value && 'send' in value) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => impurities(item, `${path}[${at}]`));
  const kind: unknown = Object.getPrototypeOf(value);
  if (kind !== Object.prototype && kind !== null) return [`${path} is a ${value.constructor.name}`];
  return Object.entries(value).flatMap(([key, item]) => impurities(item, `${path}.${key}`));
}

/** The tests every machine has: its map as reviewed, nothing in it unreached, and plain data in every state. */
export function mapTests<M extends AnyStateMachine>(machine: M, walk: Walk<M>): void {
  const { map, missed, snapshots } = walkMachine(machine, walk);
  it('behaves as its map says', async () => {
    await expect(map).toMatchFileSnapshot(`../machines/maps/${machine.id}.txt`);
  });
  it('has no state unreached and no transition untaken in its map', () => {
    expect(missed).toEqual([]);
  });
  it('holds plain data in every state of its map', () => {
    expect(snapshots.flatMap(({ context }) => impurities(context))).toEqual([]);
  });
}
