import type { AnyActorRef, AnyStateMachine, AnyStateNode } from 'xstate';

/** A state's value on one line: `page.ready removal.idle`. */
const written = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as object)
        .map(([region, inner]) => `${region}.${written(inner)}`)
        .join(' ');

/**
 * The living actors as an indented tree: `name [systemId] state`. Ports that answer once come and go, and are left out
 * unless they are at work.
 */
export function actorTree(actor: AnyActorRef, name = actor.id, depth = 0): string {
  const { children = {}, value, status } = actor.getSnapshot() as { children?: Record<string, AnyActorRef>; value?: unknown; status?: string };
  const { systemId } = actor as { systemId?: string };
  const state = value === undefined || written(value) === '' ? '' : ` (${written(value)})`;
  const line = `${'  '.repeat(depth)}${name}${systemId ? ` [${systemId}]` : ''}${state}`;
  const alive = Object.entries(children).filter(([, child]) => (child.getSnapshot() as { status?: string }).status === 'active');
  return status === 'active' ? [line, ...alive.map(([id, child]) => actorTree(child, id, depth + 1))].join('\n') : '';
}

/** Every node of a chart, the root first. */
export const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];

/** Invocations that could bring the machine down: no onError, or an id made up by XState. */
export const carelessInvokes = ({ root }: AnyStateMachine): string[] =>
  nodesOf(root).flatMap((node) =>
    node.invoke.filter(({ id }) => !node.transitions.has(`xstate.error.actor.${id}`) || /^\d+\./.test(id)).map(({ id }) => `${node.id}: ${id}`),
  );

/** States that wait for a one-shot port and name no time after which they stop waiting. */
export const endlessWaits = (machine: AnyStateMachine, lasting: readonly string[]): string[] => {
  const patient = (node: AnyStateNode): boolean => node.after.length > 0 || (node.parent !== undefined && patient(node.parent));
  return nodesOf(machine.root).flatMap((node) =>
    node.invoke.filter(({ src }) => typeof src === 'string' && !lasting.includes(src) && !patient(node)).map(({ id }) => `${node.id}: ${id}`),
  );
};
