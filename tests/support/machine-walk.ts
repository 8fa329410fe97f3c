import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type EventFromLogic,
  initialTransition,
  type InputFrom,
  transition,
} from 'xstate';

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
  /** Tells snapshots of one state apart by what guards look at, in words between brackets, separated by commas. */
  words?: (snapshot: AnyMachineSnapshot & { context: never }) => string;
  /** Snapshots beyond are reached and not left: for regions of one kind that know nothing of each other, and would be walked in every combination. */
  within?: (snapshot: AnyMachineSnapshot) => boolean;
}
/** An event that the walk tries, with the name that tells it from others of its type. */
export interface Tried {
  event: AnyEventObject;
  label: string;
}
/** One transition of the chart as it was taken, with the effects that belong to it. */
export interface Taken {
  /** The name of the transition: node, descriptor and place among those of the descriptor. */
  key: string;
  effects: string[];
}
/** One event in one state, and all that came of it; nothing taken: it was not heard, or a guard was against it. */
export interface Step {
  from: AnyMachineSnapshot;
  words: string;
  tried: Tried | null;
  taken: Taken[];
}
/** One transition of the chart. */
export interface Row {
  key: string;
  node: AnyStateNode;
  /** The event as the chart names it; `always` for a transition without one. */
  on: string;
  targets: readonly AnyStateNode[] | undefined;
  guard: string | undefined;
}

const marker = 'map.taken';
export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];

/** A guard by its name, with the values it was given in the chart. */
function guardName(guard: unknown): string | undefined {
  if (typeof guard === 'string') return guard;
  const { type, params } = (guard ?? {}) as { type?: unknown; params?: unknown };
  if (typeof type !== 'string') return undefined;
  const given = params !== null && typeof params === 'object' ? leavesOf(params).map(([, value]) => value.replaceAll('"', '')) : [];
  return [type, ...given].join(' ');
}
const definitionsOf = (node: AnyStateNode): { on: string; at: number; definition: AnyTransitionDefinition }[] => [
  ...[...node.transitions.entries()].flatMap(([on, all]) => all.map((definition, at) => ({ on, at, definition }))),
  ...(node.always ?? []).map((definition, at) => ({ on: 'always', at, definition })),
];

/** A copy of the machine that says which transitions were taken and which states were entered and left, in the order of their actions. */
function marked<M extends AnyStateMachine>(machine: M): { machine: M; rows: Map<string, Row> } {
  const copy = machine.provide({}) as M;
  const rows = new Map<string, Row>();
  for (const node of nodesOf(copy.root)) {
    for (const { on, at, definition } of definitionsOf(node)) {
      const key = `${node.id} --${on}[${at}]`;
      rows.set(key, { key, node, on, targets: definition.target, guard: guardName(definition.guard) });
      (definition as { actions: readonly unknown[] }).actions = [{ type: marker, params: { key } }, ...definition.actions];
    }
    for (const [edge, phase] of [
      ['entry', 'in'],
      ['exit', 'out'],
    ] as const)
      (node as unknown as Record<string, readonly unknown[]>)[edge] = [{ type: marker, params: { [phase]: node } }, ...node[edge]];
  }
  return { machine: copy, rows };
}

interface Action {
  type: string;
  params?: unknown;
}
interface Params {
  key?: string;
  in?: AnyStateNode;
  out?: AnyStateNode;
  targetId?: string;
  to?: { id: string };
  event?: { type: string };
  id?: string;
}
function effect(type: string, p: Params): string | undefined {
  if (type === 'xstate.sendTo') return `${p.targetId ?? p.to?.id} ! ${p.event?.type}`;
  if (type === 'xstate.emit') return `emit ${p.event?.type}`;
  if (type === 'xstate.spawnChild') return `start ${p.id}`;
  if (type === 'xstate.stopChild') return p.id ? `stop ${p.id}` : undefined;
  return type.startsWith('xstate.') ? undefined : type;
}

/** Whether a transition enters and leaves states at this place. */
function reaches({ node, targets }: Row, place: AnyStateNode): boolean {
  let domain: AnyStateNode | undefined = node;
  const isWithin = (inner: AnyStateNode, outer: AnyStateNode): boolean =>
    inner === outer || (inner.parent !== undefined && isWithin(inner.parent, outer));
  while (domain && !(targets ?? []).every((target) => isWithin(target, domain as AnyStateNode))) domain = domain.parent;
  return domain !== undefined && isWithin(place, domain);
}

/** The transitions taken in one step. What is done on leaving a state belongs to the next of them that leaves it, on entering to the last. */
function takenIn(actions: readonly Action[], rows: ReadonlyMap<string, Row>): Taken[] {
  const marks = actions.map(({ type, params }) => (type === marker ? (params as Params) : undefined));
  const found = marks.flatMap((mark, at) => (mark?.key ? [{ at, row: rows.get(mark.key) as Row, effects: [] as string[] }] : []));
  let owner = found[0];
  for (const [at, { type, params }] of actions.entries()) {
    const mark = marks[at];
    if (mark?.key) owner = found.find((one) => one.at === at);
    else if (mark?.in) owner = found.findLast((one) => one.at < at && reaches(one.row, mark.in as AnyStateNode)) ?? owner;
    else if (mark?.out) owner = found.find((one) => one.at > at && reaches(one.row, mark.out as AnyStateNode)) ?? owner;
    else {
      const done = effect(type, (params ?? {}) as Params);
      if (done) owner?.effects.push(done);
    }
  }
  return found.map(({ row, effects }) => ({ key: row.key, effects }));
}

const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part !== null && typeof part === 'object' && 'sessionId' in part ? 'actor' : part)) ?? '';
function changed(from: AnyMachineSnapshot, to: AnyMachineSnapshot): string[] {
  const [before, after] = [from.context, to.context] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys({ ...before, ...after })
    .filter((key) => plain(before[key]) !== plain(after[key]))
    .map((key) => `set ${key}`);
}

const isPlain = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
/** The values within a sample by their paths; nothing at all and what is no plain data (actors, the machine of a snapshot) tell no samples apart. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly [string, string])[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[path.join('.'), JSON.stringify(value) ?? '']];
  return isPlain(value) ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key])) : [];
}
/** What tells samples of one event apart: the parts whose values are not the same in all. */
function differences(samples: readonly AnyEventObject[]): string[] {
  const leaves = samples.map((sample) => new Map(leavesOf(sample)));
  const paths = [...new Set(leaves.flatMap((one) => [...one.keys()]))].filter((path) => new Set(leaves.map((one) => one.get(path))).size > 1);
  return leaves.map((one) => {
    const parts = paths.filter((path) => one.has(path)).map((path) => `${path.split('.').at(-1)}: ${(one.get(path) ?? '').replaceAll('"', '')}`);
    return ` {${parts.slice(0, 4).join(', ')}}`;
  });
}
/** An event's type in the words of the map. */
export const eventName = (type: string): string =>
  type
    .replace(/^xstate\.after\.(.+?)\.[^.]*\..*$/, 'after $1')
    .replace(/^xstate\.after\.(\w+)\..*$/, 'after $1')
    .replace(/^xstate\.done\.actor\.(.*)$/, '$1 answered')
    .replace(/^xstate\.error\.actor\.(.*)$/, '$1 failed');

const list = (sample: unknown): readonly AnyEventObject[] => (Array.isArray(sample) ? sample : [sample]) as readonly AnyEventObject[];
/** Every event the walk tries: the samples, the machine's own timers, and the answers of its ports. */
function eventsOf(
  machine: AnyStateMachine,
  walk: Omit<Walk<AnyStateMachine>, 'inputs' | 'samples' | 'words' | 'within'> & { samples: object },
): Tried[] {
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
  const all: AnyEventObject[] = [...Object.values(samples).flatMap(list), ...timers, ...answered, ...children];
  return all.map((event) => {
    const same = all.filter(({ type }) => type === event.type);
    const difference = same.length > 1 ? (differences(same)[same.indexOf(event)] ?? '') : '';
    return { event, label: `${eventName(event.type)}${difference}` };
  });
}

/**
 * Tries every event in every state of the real machine by the pure transition function. States are told apart by their value and the
 * walk's words. @throws when the words tell more than 1,000 apart, or an invoked port has no answers
 */
export function walkMachine<M extends AnyStateMachine>(original: M, walk: Walk<M>) {
  const { machine, rows } = marked(original);
  const events = eventsOf(machine, walk);
  const words = (snapshot: AnyMachineSnapshot): string => (walk.words as ((one: AnyMachineSnapshot) => string) | undefined)?.(snapshot) ?? '';
  const name = (snapshot: AnyMachineSnapshot): string => `${JSON.stringify(snapshot.value)} ${words(snapshot)}`;
  const [steps, seen, reached] = [[] as Step[], new Map<string, AnyMachineSnapshot>(), new Set<AnyStateNode>()];
  const note = (to: AnyMachineSnapshot, taken: readonly Taken[]): void => {
    for (const node of (to as unknown as { _nodes: AnyStateNode[] })._nodes) reached.add(node);
    for (const { key } of taken) reached.add((rows.get(key) as Row).node);
  };
  const queue = walk.inputs.map((input) => {
    const [first, actions] = initialTransition(machine, input as never) as [AnyMachineSnapshot, Action[]];
    const taken = takenIn(actions, rows);
    note(first, taken);
    steps.push({ from: first, words: words(first), tried: null, taken });
    return first;
  });
  for (let from = queue.shift(); from; from = queue.shift()) {
    if (seen.has(name(from))) continue;
    seen.set(name(from), from);
    if (seen.size > 2_000) throw new Error(`the map of ${machine.id} does not end: its words tell too many snapshots apart`);
    if (from.status !== 'active' || walk.within?.(from) === false) continue;
    for (const tried of events) {
      const [to, actions] = transition(machine, from as never, tried.event as never) as unknown as [AnyMachineSnapshot, Action[]];
      const taken = takenIn(actions, rows);
      note(to, taken);
      const [first] = taken;
      first?.effects.push(...changed(from, to));
      steps.push({ from, words: words(from), tried, taken });
      if (first) queue.push(to);
    }
  }
  return { machine, rows: [...rows.values()], steps, snapshots: [...seen.values()], reached };
}
