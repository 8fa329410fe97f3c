import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Table } from '#src/components/table/table.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

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

let stop: (() => Promise<void>) | undefined;
afterEach(async () => stop?.());

/** Draws a table and says how often cells were drawn. */
async function drawn(first: Partial<Parameters<typeof Table<Thing>>[0]> = {}) {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  const cell = vi.fn<(row: Thing, column: { key: string }) => string>((row, { key }) => row[key as keyof Thing]);
  const rows = things(100);
  const draw = (more: Partial<Parameters<typeof Table<Thing>>[0]> = {}) =>
    act(async () =>
      root.render(
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
        />,
      ),
    );
  stop = async () => {
    await act(async () => root.unmount());
    host.remove();
  };
  await draw();
  return { host, cell, rows, draw };
}

describe('the table', () => {
  it('is a real table: a caption, column heads, order said on the head', async () => {
    const { host } = await drawn();
    expect([host.querySelector('caption')?.textContent, host.querySelectorAll('th[scope="col"]').length]).toEqual(['Things', 2]);
    expect(host.querySelector('th')?.getAttribute('aria-sort')).toBe('ascending');
  });

  it('draws again only the row whose mark changed', async () => {
    const toggle = () => {};
    const { cell, draw } = await drawn({ onToggle: toggle });
    expect(cell).toHaveBeenCalledTimes(200);
    cell.mockClear();
    await draw({ selected: new Set(['t7']) });
    expect(cell.mock.calls.map(([row]) => row.id)).toEqual(['t7', 't7']);
  });

  it('draws no row again while another page is on its way', async () => {
    const { cell, draw, host } = await drawn();
    cell.mockClear();
    await draw({ busy: true });
    expect([cell.mock.calls.length, host.querySelector('table')?.getAttribute('aria-busy')]).toEqual([0, 'true']);
  });

  it('says how much of the page is marked', async () => {
    const { host, draw, rows } = await drawn({ onToggle: () => {}, rows: things(2) });
    const mark = () => host.querySelector<HTMLInputElement>('thead input');
    expect([mark()?.checked, mark()?.indeterminate]).toEqual([false, false]);
    await draw({ selected: new Set(['t0']) });
    expect([mark()?.checked, mark()?.indeterminate]).toEqual([false, true]);
    await draw({ selected: new Set(['t0', 't1']) });
    expect([mark()?.checked, mark()?.indeterminate]).toEqual([true, false]);
    await draw({ rows, allSelected: true });
    expect([mark()?.checked, host.querySelectorAll('tbody input:checked').length]).toEqual([true, 100]);
  });

  it('opens a row by a click on it, not on what stands in it, and not for a new tab', async () => {
    const onOpen = vi.fn<(id: string) => void>();
    const { host } = await drawn({ onOpen, onToggle: () => {}, onMenu: () => {} });
    const click = (selector: string, more: MouseEventInit = {}) =>
      act(async () => host.querySelector(selector)?.dispatchEvent(new MouseEvent('click', { bubbles: true, ...more })));
    await click('tbody input');
    await click('tbody .cell-menu button');
    await click('tbody td.cell-first', { ctrlKey: true });
    expect(onOpen).not.toHaveBeenCalled();
    await click('tbody td.cell-first');
    expect(onOpen.mock.calls).toEqual([['t0']]);
  });

  it('keeps room for rows that are on their way', async () => {
    const { host } = await drawn({ rows: undefined });
    expect([host.querySelectorAll('.row-skeleton').length, host.querySelectorAll('.row-skeleton td').length]).toEqual([5, 10]);
  });
});
