import type { GeneratedGroup } from '#models/groups.ts';

/** Where in a proposed tree: the place among the roots, then among each one's children. */
export type Spot = readonly number[];

/** All groups of a tree. */
export const countOf = (groups: readonly GeneratedGroup[]): number => groups.reduce((sum, { children }) => sum + 1 + countOf(children), 0);

/** The tree with one group changed, or without it and all below where there is no change. */
export function replaced(groups: readonly GeneratedGroup[], [at, ...rest]: Spot, change: Partial<GeneratedGroup> | null): GeneratedGroup[] {
  return groups.flatMap((group, index) => {
    if (index !== at) return [group];
    if (rest.length > 0) return [{ ...group, children: replaced(group.children, rest, change) }];
    return change === null ? [] : [{ ...group, ...change }];
  });
}
