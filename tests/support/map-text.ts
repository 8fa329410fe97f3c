import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate';
import { type Condition, conditionsOf, type Observation } from './map-conditions.ts';
import { eventName, nodesOf, type Row, type Step, type walkMachine } from './machine-walk.ts';

type Walked = ReturnType<typeof walkMachine>;

/** The region that a state lies in: the nearest state around it, itself included, that stands beside others, or the machine. */
const regionOf = (node: AnyStateNode): AnyStateNode => (node.parent === undefined || node.parent.type === 'parallel' ? node : regionOf(node.parent));
/** A state's place below another, `machine` for the root itself. */
const pathFrom = (region: AnyStateNode, node: AnyStateNode): string => node.path.slice(region.path.length).join('.') || '(all)';
const regionName = (region: AnyStateNode): string => region.path.join('.');

/** Where each region stands. A region within which others stand beside each other stands at their common state. */
function standing(snapshot: AnyMachineSnapshot): Record<string, string> {
  const found: Record<string, string> = {};
  for (const node of (snapshot as unknown as { _nodes: AnyStateNode[] })._nodes) {
    const region = regionOf(node);
    const name = regionName(region);
    const path = pathFrom(region, node);
    if ((found[name] ?? '').length <= path.length) found[name] = path;
  }
  return found;
}

const tokensOf = (words: string): string[] =>
  words
    .split(/[[\],;]/)
    .map((token) => token.trim())
    .filter(Boolean);

interface Seen {
  steps: { step: Step; standing: Record<string, string>; tokens: readonly string[]; nodes: ReadonlySet<AnyStateNode> }[];
  tokens: string[];
}
function seenIn({ steps }: Walked): Seen {
  const known = new Map<AnyMachineSnapshot, Omit<Seen['steps'][number], 'step'>>();
  const all = steps.map((step) => {
    const facts = known.get(step.from) ?? {
      standing: standing(step.from),
      tokens: tokensOf(step.words),
      nodes: new Set((step.from as unknown as { _nodes: AnyStateNode[] })._nodes),
    };
    known.set(step.from, facts);
    return { step, ...facts };
  });
  return { steps: all, tokens: [...new Set(all.flatMap(({ tokens }) => tokens))] };
}

const matches = (descriptor: string, type: string): boolean =>
  descriptor === type || descriptor === '*' || (descriptor.endsWith('.*') && type.startsWith(descriptor.slice(0, -1)));
const isBelow = (node: AnyStateNode, above: AnyStateNode): boolean =>
  node.parent !== undefined && (node.parent === above || isBelow(node.parent, above));

/** What came of the events that a state listens for by one descriptor, in every state it was active in and no state within it had heard them. */
function observationsOf(seen: Seen, rows: readonly Row[], all: ReadonlyMap<string, Row>): Observation[] {
  const [first] = rows;
  if (!first) return [];
  const { node, on } = first;
  return seen.steps.flatMap(({ step, standing: places, tokens, nodes }) => {
    const { tried, taken } = step;
    if (!tried || !nodes.has(node) || !matches(on, tried.event.type)) return [];
    const direct = taken.map(({ key }) => all.get(key) as Row).filter((row) => matches(row.on, tried.event.type));
    if (direct.some((row) => isBelow(row.node, node) || (row.node === node && row.on !== on))) return [];
    const mine = direct.find((row) => row.node === node);
    const own = regionName(regionOf(node));
    const values: Record<string, string> = { event: tried.label };
    for (const token of seen.tokens) values[`is ${token}`] = String(tokens.includes(token));
    for (const [region, place] of Object.entries(places)) values[region === own ? 'here' : `in ${region}`] = place;
    return [{ values, outcome: mine?.key ?? '' }];
  });
}

const oneOf = ({ isNot, values }: Condition[string]): string => `${isNot ? 'not ' : ''}${values.join(' | ')}`;
function written(condition: Condition, label: string): { event: string; when: string } {
  const parts = Object.entries(condition).flatMap(([name, values]) => {
    if (name === 'event') return [];
    if (name.startsWith('is ')) return [values.values[0] === 'true' ? name.slice(3) : `not ${name.slice(3)}`];
    return [`${name === 'here' ? '' : `${name.slice(3) || 'machine'} `}${oneOf(values)}`];
  });
  const { isNot = false, values: eventValues = [] } = condition['event'] ?? {};
  const events = eventValues.map((one) => one.replace(label, '').trim()).filter(Boolean);
  return {
    event: events.length > 0 ? `${label} ${isNot ? 'not ' : ''}${events.join(' | ')}` : label,
    when: parts.length > 0 ? ` [${parts.join('; ')}]` : '',
  };
}

/** What is done with a transition; what is not done every time has a question mark. */
function effectsOf(key: string, seen: Seen): string {
  const times = seen.steps.flatMap(({ step }) => step.taken.filter((one) => one.key === key));
  const counts = new Map<string, number>();
  for (const { effects } of times) for (const effect of new Set(effects)) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  const done = [...counts].map(([effect, count]) => (count < times.length ? `${effect}?` : effect));
  const [sets, others] = [done.filter((one) => one.startsWith('set ')), done.filter((one) => !one.startsWith('set '))];
  const all = [...others, ...(sets.length > 0 ? [`set ${sets.map((one) => one.slice(4)).join(' ')}`] : [])];
  return all.length > 0 ? ` / ${all.join(', ')}` : '';
}

function targetOf({ node, targets }: Row): string {
  if (!targets) return '';
  const own = regionOf(node);
  return ` -> ${targets.map((target) => (regionOf(target) === own ? pathFrom(own, target) : target.path.join('.') || '(all)')).join(' ')}`;
}

/** The lines of one state: what it hears, under which conditions, where that leads and what is done. */
function linesOf(node: AnyStateNode, rows: readonly Row[], seen: Seen, all: ReadonlyMap<string, Row>, names: readonly string[]): string[] {
  const region = regionOf(node);
  const lines = [...new Set(rows.map(({ on }) => on))].flatMap((on) => {
    const same = rows.filter((row) => row.on === on);
    const label = eventName(on);
    const conditions = conditionsOf(observationsOf(seen, same, all), names);
    return same.flatMap((row) => {
      const rest = `${targetOf(row)}${effectsOf(row.key, seen)}`;
      const found = conditions.get(row.key);
      if (!found) return [`  ${label}${row.guard ? ` [${row.guard}]` : ''}${rest}`];
      return found.map((condition) => {
        const { event, when } = written(condition, label);
        return `  ${event}${when}${rest}`;
      });
    });
  });
  return lines.length > 0 ? [pathFrom(region, node), ...lines] : [];
}

const withShortIds = (line: string): string => line.replaceAll(/0{8}-0{4}-4000-8000-0*(\w+)/g, '#$1');
const delaysOf = (machine: AnyStateMachine): string[] =>
  Object.entries(machine.implementations.delays as Record<string, unknown>)
    .map(([name, delay]) => `  ${name} ${typeof delay === 'number' ? `${delay} ms` : 'by context'}`)
    .toSorted();

/** The map of a machine: one text for each of its regions, by name; the machine's own begins with its delays and where it starts. */
export function mapTexts({ machine, rows, steps, ...rest }: Walked): Map<string, string> {
  const seen = seenIn({ machine, rows, steps, ...rest });
  const all = new Map(rows.map((row) => [row.key, row]));
  const regions = [...new Set(nodesOf(machine.root).map(regionOf))];
  const texts = new Map<string, string>();
  for (const region of regions) {
    const names = [
      'event',
      ...seen.tokens.map((token) => `is ${token}`),
      'here',
      ...regions.filter((one) => one !== region).map((one) => `in ${regionName(one)}`),
    ];
    const nodes = nodesOf(machine.root).filter((node) => regionOf(node) === region);
    const lines = nodes.flatMap((node) =>
      linesOf(
        node,
        rows.filter((row) => row.node === node),
        seen,
        all,
        names,
      ),
    );
    const starts = steps
      .filter(({ tried }) => !tried)
      .map(({ from, words }) => `  ${JSON.stringify(from.value).replaceAll('"', '')} ${words}`.trimEnd());
    const delays = delaysOf(machine);
    const head = region === machine.root ? ['starts', ...new Set(starts), ...(delays.length > 0 ? ['delays', ...delays] : [])] : [];
    if (head.length + lines.length > 0) texts.set(regionName(region), `${[...head, ...lines].map(withShortIds).join('\n')}\n`);
  }
  return texts;
}
