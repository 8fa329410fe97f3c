import { render, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Table } from '#src/components/table/table.tsx';
import { newUser } from './support/user.ts';

interface Thing {
  id: string;
  name: string;
}
const things = (count: number): Thing[] => Array.from({ length: count }, (_, at) => ({ id: `t${at}`, name: `Thing ${at}` }));
const words = { select: 'Select', selectPage: 'Select all', menu: 'Actions' };
const columns = [
  { key: 'name', label: 'Name', sort: 'name' },
  { key: 'id', label: 'Id' },
];
const idOf = ({ id }: Thing) => id;
const nameOf = ({ name }: Thing) => name;

type Props = Partial<Parameters<typeof Table<Thing>>[0]>;

/** Draws a table and says how often cells were drawn. */
function drawn(first: Props = {}) {
  const cell = vi.fn<(row: Thing, column: { key: string }) => string>((row, { key }) => row[key as keyof Thing]);
  const rows = things(100);
  const table = (more: Props = {}) => (
    <Table<Thing>
      caption="Things"
      columns={columns}
      rows={rows}
      expected={5}
      idOf={idOf}
      nameOf={nameOf}
      cell={cell}
      sort={['name']}
      selected={new Set()}
      allSelected={false}
      words={words}
      busy={false}
      {...first}
      {...more}
    />
  );
  const { rerender } = render(table());
  return { cell, rows, draw: (more: Props) => rerender(table(more)) };
}

describe('the table', () => {
  it('is a real table: a caption, column heads, order said on the head', () => {
    drawn();
    const table = within(screen.getByRole('table', { name: 'Things' }));
    const heads = table.getAllByRole('columnheader');
    expect(heads.map((head) => [head.textContent, head.getAttribute('aria-sort')])).toEqual([
      ['Name', 'ascending'],
      ['Id', null],
    ]);
  });

  it('draws again only the row whose mark changed', () => {
    const toggle = () => {};
    const { cell, draw } = drawn({ onToggle: toggle });
    expect(cell).toHaveBeenCalledTimes(200);
    cell.mockClear();
    draw({ selected: new Set(['t7']) });
    expect(cell.mock.calls.map(([row]) => row.id)).toEqual(['t7', 't7']);
  });

  it('draws no row again while another page is on its way', () => {
    const { cell, draw } = drawn();
    cell.mockClear();
    draw({ busy: true });
    expect(cell).not.toHaveBeenCalled();
    expect(screen.getByRole('table', { busy: true })).toBeTruthy();
  });

  it('says how much of the page is marked', () => {
    const { draw, rows } = drawn({ onToggle: () => {}, rows: things(2) });
    const mark = () => {
      const { checked, indeterminate } = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' });
      return [checked, indeterminate];
    };
    expect(mark()).toEqual([false, false]);
    draw({ selected: new Set(['t0']) });
    expect(mark()).toEqual([false, true]);
    draw({ selected: new Set(['t0', 't1']) });
    expect(mark()).toEqual([true, false]);
    draw({ rows, allSelected: true });
    expect([mark()[0], screen.getAllByRole('checkbox', { name: /^Select Thing/, checked: true }).length]).toEqual([true, 100]);
  });

  it('opens a row by a click on it, not on what stands in it, and not for a new tab', async () => {
    const user = newUser();
    const onOpen = vi.fn<(id: string) => void>();
    drawn({ onOpen, onToggle: () => {}, onMenu: () => {}, rows: things(3) });
    const words = screen.getByRole('cell', { name: 'Thing 0' });
    await user.click(screen.getByRole('checkbox', { name: 'Select Thing 0' }));
    await user.click(screen.getByRole('button', { name: 'Actions: Thing 0' }));
    await user.keyboard('{Control>}');
    await user.click(words);
    await user.keyboard('{/Control}');
    expect(onOpen).not.toHaveBeenCalled();
    await user.click(words);
    expect(onOpen.mock.calls).toEqual([['t0']]);
  });

  it('keeps room for rows that are on their way', () => {
    drawn({ rows: undefined });
    // Nothing is there to be read yet: the room is hidden from readers.
    expect(screen.getAllByRole('row')).toHaveLength(1);
    const room = screen.getAllByRole('row', { hidden: true }).slice(1);
    expect(room.map((row) => within(row).getAllByRole('cell', { hidden: true }).length)).toEqual([2, 2, 2, 2, 2]);
  });
});
