import { type AccessMatrix, matrixPage } from '#models/access-matrix.ts';
import type { GroupNode } from '#models/groups.ts';
import { permissionCatalogue } from '#models/permission-catalogue.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** How many groups of each level there are: houses, entrances, floors, flats. Together 2,000. */
const levels = [
  { type: 'House', count: 4 },
  { type: 'Entrance', count: 20 },
  { type: 'Floor', count: 200 },
  { type: 'Flat', count: 1_776 },
] as const;

/** Groups four levels deep, as the server answers them. */
export const groupNodes: readonly GroupNode[] = levels.flatMap(({ type, count }, level) => {
  const above = levels[level - 1];
  const below = levels[level + 1];
  return numbers(count).map((at) => ({
    id: `${type}-${at}`,
    name: `${type} ${at + 1}`,
    parent_id: above ? `${above.type}-${at % above.count}` : null,
    type: { id: type, name: type },
    logic_address: level === 3 ? String(at + 1) : null,
    children_count: below ? Math.ceil((below.count - at) / count) : 0,
    users_count: at % 5,
    version: 1,
  }));
});

/** Every code of the catalogue, and those that the role holds: each third. */
export const codes: readonly string[] = Object.values(permissionCatalogue).flat();
export const held: readonly string[] = codes.filter((_, at) => at % 3 === 0).toSorted();

/** A row of the table: one text for each of its columns. */
export type Row = Readonly<Record<string, string>> & { id: string };
export const columnKeys = ['name', 'login', 'email', 'phone', 'role', 'group', 'created', 'seen'] as const;
export const rows: readonly Row[] = numbers(100).map((at) => ({
  id: String(at),
  ...Object.fromEntries(columnKeys.map((key) => [key, `${key} of person ${at + 1}`])),
}));

const states = ['granted', 'later', 'denied', 'none'] as const;
/** A whole page of the access matrix. */
export const matrix: AccessMatrix = {
  at: '2026-11-29T12:00:00.000Z',
  people: numbers(matrixPage.people).map((at) => ({ id: `person-${at}`, name: `Person ${at + 1}`, group: `Flat ${at + 1}` })),
  people_total: matrixPage.people,
  doors: numbers(matrixPage.doors).map((at) => ({ id: `door-${at}`, name: `Door ${at + 1} of the house` })),
  doors_total: matrixPage.doors,
  cells: numbers(matrixPage.people).map((row) =>
    numbers(matrixPage.doors).map((column) => {
      const state = states[(row + column) % states.length] ?? 'none';
      return { state, reason: state === 'later' || state === 'denied' ? 'outside_schedule' : null, identifier: null };
    }),
  ),
};

/** A row that a search has found. */
export interface Found {
  id: string;
  name: string;
}
export const found: readonly Found[] = numbers(50).map((at) => ({ id: String(at), name: `Person ${at + 1} of the house` }));
