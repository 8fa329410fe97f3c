import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { widthsOf } from '#src/views/area/column-widths.ts';
import { sharesOf } from '#src/views/area/use-columns.tsx';
import { anna } from '#tests/support/people.ts';
import { openPage, role, rowsAnswer } from './support/area-page.ts';

const numbers = (widths: ReadonlyMap<string, string>): [string, number][] => [...widths].map(([key, width]) => [key, Number.parseFloat(width)]);

describe('the widths of columns', () => {
  const storedWidths = { name: 30, login: 20, role: 10, seen: 30 };
  const columns = ['name', 'login', 'role', 'seen'].map((key) => ({ key }));

  it('are those that were measured; the last column takes what is left', () => {
    expect(numbers(widthsOf(columns, storedWidths))).toEqual([
      ['name', 30],
      ['login', 20],
      ['role', 10],
    ]);
  });

  it('are shared out among the columns shown: one that is new gets the average, one that is gone leaves its part', () => {
    const more = numbers(widthsOf([...columns.slice(0, 3), { key: 'email' }, { key: 'seen' }], storedWidths));
    expect(more.map(([key]) => key)).toEqual(['name', 'login', 'role', 'email']);
    expect(more.find(([key]) => key === 'email')?.[1]).toBeCloseTo(18, 1);
    expect(numbers(widthsOf([{ key: 'name' }, { key: 'role' }, { key: 'seen' }], storedWidths)).map(([, width]) => Math.round(width))).toEqual([
      39, 13,
    ]);
  });

  it('a column that gives way in narrow tables takes nothing from the others until it was measured', () => {
    const [name] = numbers(widthsOf([{ key: 'name' }, { key: 'markers', givesWay: 'desk' }, ...columns.slice(1)], storedWidths));
    expect(name).toEqual(['name', 30]);
  });
});

describe('the shares of columns that nobody has dragged', () => {
  it('are the area’s own, and alike of what is left; a first one without a width has what nobody claims', () => {
    expect(sharesOf([{}, { width: '26%' }, {}, {}])).toEqual([undefined, '26%', '21.5%', '21.5%']);
    expect(sharesOf([{ width: '40%' }, {}])).toEqual(['40%', '51.0%']);
    expect(sharesOf([{ width: '40%' }, { width: '60%' }, {}])).toEqual(['40%', '60%', '0.0%']);
  });
});

describe('a line between two heads', () => {
  /** Columns lie side by side: as wide as their style says in a table of 1,000, else 150. */
  beforeEach(() => {
    const widthOf = (head: HTMLElement): number => (head.style.width ? Number.parseFloat(head.style.width) * 10 : 150);
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function of(this: HTMLElement) {
      if (this.tagName === 'TABLE') return new DOMRect(0, 0, 1_000, 100);
      if (this.tagName !== 'TH') return new DOMRect(0, 0, 0, 0);
      const before = [...(this.parentElement?.children ?? [])].slice(0, [...(this.parentElement?.children ?? [])].indexOf(this)) as HTMLElement[];
      return new DOMRect(
        before.reduce((sum, head) => sum + widthOf(head), 0),
        0,
        widthOf(this),
        40,
      );
    });
    return () => vi.restoreAllMocks();
  });
  const openRoles = () => openPage('/roles', { 'GET /roles': () => rowsAnswer([role(40)]) });
  const handle = (name: string): Promise<HTMLElement> => screen.findByRole('separator', { name: `Width of ${name}` });
  const width = (name: string): string => screen.getByRole('columnheader', { name }).style.width;
  const stored = (): unknown => (JSON.parse(localStorage.getItem('columnWidths') ?? '{}') as Record<string, unknown>)[`${anna.id}/roles`];

  it('moves by the arrow keys, tells its value, and the width is kept', async () => {
    const { user } = await openRoles();
    const line = await handle('Permissions');
    expect([line.getAttribute('aria-valuenow'), line.getAttribute('aria-valuemin')]).toEqual(['108', '64']);
    line.focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    await waitFor(() => expect(line.getAttribute('aria-valuenow')).toBe('140'));
    expect([width('Permissions'), width('Users')]).toEqual(['14.000%', '7.600%']);
    await user.keyboard('{Home}');
    expect([width('Permissions'), width('Users')]).toEqual(['6.400%', '15.200%']);
    expect(stored()).toMatchObject({ permissions: 6.4, users_count: 15.2 });
    await user.keyboard('{Delete}');
    await waitFor(() => expect([width('Permissions'), width('Users'), width('Description')]).toEqual(['10.8%', '10.8%', '26%']));
    expect(stored()).toBeUndefined();
  });

  it('is dragged, no narrower than can be read; Escape leaves everything as it was; a double click restores the widths', async () => {
    await openRoles();
    const line = await handle('Permissions');
    const drag = (by: number): void => {
      fireEvent.pointerDown(line, { button: 0, pointerId: 1, clientX: 500 });
      fireEvent.pointerMove(line, { pointerId: 1, clientX: 500 + by });
    };
    drag(40);
    expect(width('Permissions')).toBe('14.800%');
    fireEvent.keyDown(line, { key: 'Escape' });
    expect([width('Permissions'), stored()]).toEqual(['10.8%', undefined]);
    drag(-400);
    fireEvent.pointerUp(line, { pointerId: 1, clientX: 100 });
    await waitFor(() => expect([width('Permissions'), width('Users')]).toEqual(['6.400%', '15.200%']));
    fireEvent.doubleClick(line);
    await waitFor(() => expect(width('Permissions')).toBe('10.8%'));
  });

  it('one of them is on the way of the Tab key, the others are reached by the arrows up and down', async () => {
    const { user } = await openRoles();
    const lines = [await handle('Name'), await handle('Description')];
    expect(lines.map((line) => line.tabIndex)).toEqual([0, -1]);
    lines[0]?.focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(lines[1]);
    expect(lines.map((line) => line.tabIndex)).toEqual([-1, 0]);
  });
});
