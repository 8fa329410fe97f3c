import { type AnyEventObject, type AnyStateMachine, type AnyStateNode, initialTransition, type StateValue } from 'xstate';
import type { Supervised } from '#machines/console/supervision.ts';

/** What brings a fragile machine down, whatever state it is in. */
const fault = { type: 'test.fault' } as const satisfies AnyEventObject;
/** An actor that may be brought down. */
interface Fragile {
  send: (event: never) => void;
}

/** Values of a chart that together hold each of its states. */
export function valuesOf(node: AnyStateNode): StateValue[] {
  const below = Object.values(node.states).filter(({ type }) => type !== 'history' && type !== 'final');
  if (node.type !== 'parallel')
    return below.flatMap((child): StateValue[] => (child.type === 'atomic' ? [child.key] : valuesOf(child).map((value) => ({ [child.key]: value }))));
  const regions = below.map((child) => [child.key, child.type === 'atomic' ? [{}] : valuesOf(child)] as const);
  const most = Math.max(...regions.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, at) => Object.fromEntries(regions.map(([key, values]) => [key, values[at % values.length] ?? {}])));
}

/** Faults in the hands of a test: machines that throw when it says so. `begins`: the state that one is in when it is started first. */
export function faults(begins: Partial<Record<Supervised, StateValue>> = {}) {
  const broken = new Set<Supervised>();
  const left = { ...begins };
  /** The same machine, which throws at a fault, and while it is broken as soon as it starts. */
  const fragile = <M extends AnyStateMachine>(name: Supervised, machine: M): M => {
    const copy = machine.provide({}) as M;
    const [transition, getInitialSnapshot] = [copy.transition.bind(copy), copy.getInitialSnapshot.bind(copy)];
    copy.transition = (snapshot, event, scope) => {
      if (event.type === fault.type) throw new Error(`fault of ${name}`);
      return transition(snapshot, event, scope);
    };
    copy.getInitialSnapshot = (scope, input) => {
      if (broken.has(name)) throw new Error(`${name} cannot start`);
      const value = left[name];
      if (value === undefined) return getInitialSnapshot(scope, input);
      delete left[name];
      const { context } = initialTransition<AnyStateMachine>(machine, input)[0];
      return copy.resolveState({ value, context });
    };
    return copy;
  };
  return { fragile, broken, bringDown: (actor: Fragile) => actor.send(fault as never) };
}
