import { type Node, parseSync, visitorKeys } from 'oxc-parser';

/** A node with those around it, the nearest last. */
type Visit = (node: Node, around: readonly Node[]) => void;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** What the type checker reads alone: there is nothing to run in it. */
const isOfTypes = ({ type }: Node): boolean =>
  type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSInstantiationExpression'].includes(type);

function walk(node: Node, around: readonly Node[], visit: Visit): void {
  if (isOfTypes(node)) return;
  visit(node, around);
  const fields: Record<string, unknown> = { ...node };
  for (const key of visitorKeys[node.type] ?? []) for (const child of [fields[key]].flat()) if (isNode(child)) walk(child, [...around, node], visit);
}

/** Walks over all of a file that runs. @throws where it is no TypeScript. */
export function walkFile(path: string, source: string, visit: Visit): void {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  walk(program, [], visit);
}
