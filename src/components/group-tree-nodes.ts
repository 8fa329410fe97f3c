import type { GroupNode } from '#models/groups.ts';

/** One visible line of the tree. */
export interface TreeLine {
  node: GroupNode;
  level: number;
  open: boolean;
  hasChildren: boolean;
  /** Its place among its brothers, from 1, and how many they are. */
  place: number;
  brothers: number;
}

export interface Forest {
  roots: readonly GroupNode[];
  below: ReadonlyMap<string, readonly GroupNode[]>;
  byId: ReadonlyMap<string, GroupNode>;
}

/** The flat answer as a forest; a group whose parent one may not see stands at the top. */
export function forestOf(nodes: readonly GroupNode[]): Forest {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const below = new Map<string, GroupNode[]>();
  const roots: GroupNode[] = [];
  for (const node of nodes) {
    if (node.parent_id === null || !byId.has(node.parent_id)) roots.push(node);
    else {
      const brothers = below.get(node.parent_id);
      if (brothers) brothers.push(node);
      else below.set(node.parent_id, [node]);
    }
  }
  return { roots, below, byId };
}

/** The ids above a node, its own left out. */
export function above(forest: Forest, id: string): string[] {
  const ids: string[] = [];
  for (let parent = forest.byId.get(id)?.parent_id; parent && !ids.includes(parent); parent = forest.byId.get(parent)?.parent_id) ids.push(parent);
  return ids;
}

/** The nodes that a search shows: those that match and all above them. */
export function matching(forest: Forest, search: string): ReadonlySet<string> | undefined {
  const wanted = search.trim().toLocaleLowerCase();
  if (!wanted) return undefined;
  const shown = new Set<string>();
  for (const { id, name, logic_address } of forest.byId.values()) {
    if (!name.toLocaleLowerCase().includes(wanted) && !logic_address?.toLocaleLowerCase().includes(wanted)) continue;
    shown.add(id);
    for (const parent of above(forest, id)) shown.add(parent);
  }
  return shown;
}

/** The lines to draw, top to bottom: under every open node its children. While searching all that is shown is open. */
export function linesOf(forest: Forest, open: ReadonlySet<string>, shown?: ReadonlySet<string>): TreeLine[] {
  const lines: TreeLine[] = [];
  const visit = (nodes: readonly GroupNode[], level: number): void => {
    const visible = shown ? nodes.filter(({ id }) => shown.has(id)) : nodes;
    for (const [index, node] of visible.entries()) {
      const children = forest.below.get(node.id) ?? [];
      const hasChildren = shown ? children.some(({ id }) => shown.has(id)) : children.length > 0;
      const isOpen = hasChildren && (shown !== undefined || open.has(node.id));
      lines.push({ node, level, open: isOpen, hasChildren, place: index + 1, brothers: visible.length });
      if (isOpen) visit(children, level + 1);
    }
  };
  visit(forest.roots, 1);
  return lines;
}
