import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { CallEnd } from '#models/call-history.ts';
import { keptPassword } from '#models/kept-password.ts';
import { groups } from '#models/groups.ts';
import { sipNumbers } from '#models/sip-numbers.ts';
import { sipTrunks } from '#models/sip-trunks.ts';
import { placeOf } from '#src/resources/call-history/cells.tsx';
import { uuid } from '#tests/support/people.ts';
import { all, annaWith, areaPages, one, press, type } from './support/area-page.ts';

const open = areaPages();
const stamps = { version: 1, created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' };
const row = (number: number, more: Record<string, unknown> = {}) => ({
  ...stamps,
  id: uuid(number),
  number: String(number),
  name: `Number ${number}`,
  is_active: true,
  is_reserved: false,
  is_system: false,
  user: null,
  device: null,
  domain: null,
  owner_info: null,
  onlyFree: true,
  has_password: true,
  forward_mode: 'disabled',
  picked_numbers: [],
  forward_numbers: [],
  created_by: null,
  ...more,
});
const list = { 'GET /sip-numbers': () => ({ body: { data: [row(1001), row(1002)], meta: { page: 1, size: 20, total: 2 } } }) };

describe('what forms of telephony send', () => {
  it('a number: a stored password stays, rows go by id, refs of other owners as null', () => {
    const draft = { ...sipNumbers.fromRow(row(7, { user: { id: uuid(1), name: 'Anna', email: null } })) };
    expect(draft['password']).toBe(keptPassword);
    expect(sipNumbers.toWire(draft)).toMatchObject({ password: null, user: uuid(1), device: null, picked_numbers: [] });
    expect(sipNumbers.check({ ...draft, device: { id: uuid(2), name: 'Lobby' } })).toMatchObject([{ path: ['device'], rule: 'one_owner' }]);
    expect(sipNumbers.check({ ...draft, forward_mode: 'manual' })).toMatchObject([{ path: ['forward_numbers'], rule: 'forward_needs_number' }]);
    expect(sipNumbers.check({ ...draft, password: 'weak' })).toMatchObject([{ path: ['password'] }]);
  });
  it('a trunk: its number without spaces, at least one group', () => {
    const draft = { ...sipTrunks.initial, name: 'City', termination_uri: '[2001:db8::1]:5060;transport=tcp', outgoing_number: '+49 (30) 1-2' };
    expect(sipTrunks.check(draft)).toMatchObject([{ path: ['groups'], rule: 'trunk_needs_group' }]);
    expect(sipTrunks.write.parse(sipTrunks.toWire({ ...draft, groups: [{ id: uuid(1), name: 'x' }] }))).toMatchObject({ outgoing_number: '+493012' });
  });
  it('a group: seconds typed as text become numbers, an empty queue is found', () => {
    const queue = { delay: '20', numbers: [{ id: uuid(1), name: '1' }], phones: [] };
    const settings = (queues: unknown[]) => ({
      ...groups.initial,
      name: 'Flat',
      users: [{ id: uuid(2), name: 'B' }],
      forward_settings: { is_enabled: true, queues },
    });
    expect(groups.check(settings([queue]))).toEqual([]);
    expect(groups.toWire(settings([queue]))['forward_settings']).toEqual({
      is_enabled: true,
      queues: [{ delay: 20, numbers: [uuid(1)], phones: [] }],
    });
    expect(groups.check(settings([queue, { delay: 10, numbers: [], phones: [] }]))).toMatchObject([{ rule: 'forward_needs_queue' }]);
    expect(groups.check({ ...settings([queue]), users: [] })).toMatchObject([{ rule: 'forward_needs_users' }]);
  });
});

describe('the list of virtual numbers', () => {
  it('generates a range after a look at it', async () => {
    const page = await open('/virtual-numbers', {
      ...list,
      'POST /sip-numbers/preview': () => ({ body: { data: { first: '1200', last: '1203', free: 3, taken: ['1201'], unusable: 0 } } }),
      'POST /sip-numbers/generate': () => ({
        body: {
          data: {
            id: uuid(50),
            kind: 'generate_numbers',
            state: 'queued',
            done: 0,
            total: 0,
            file_name: null,
            failures: [],
            problem: null,
            created_at: stamps.created_at,
          },
        },
      }),
    });
    await page.shows('Number 1001');
    await press('Generate numbers');
    await page.until('the dialog', () => all('dialog input').length > 2);
    await press('Preview');
    await page.until('what is missing', () => all('dialog .field-issue').length === 1);
    expect(page.server.asked('POST', '/sip-numbers/preview')).toEqual([]);
    const [from, count] = all<HTMLInputElement>('dialog input');
    if (!from || !count) throw new Error('two lines');
    await type(from, '1200');
    await type(count, '4');
    await press('Preview');
    await page.shows('1200 to 1203.');
    await page.shows('1201');
    await press('Create 3 numbers');
    await page.until('it was sent', () => page.server.asked('POST', '/sip-numbers/generate').length === 1);
    expect(page.server.asked('POST', '/sip-numbers/generate')[0]?.body).toEqual({ from: '1200', count: 4, name: null, is_reserved: false });
    await page.until('the dialog is gone', () => all('dialog input').length === 0);
  });

  it('offers neither adding nor generating to those who may only look', async () => {
    const page = await open('/virtual-numbers', list, annaWith('can_view_all_sip_numbers'));
    await page.shows('Number 1001');
    expect(document.body.textContent).not.toMatch(/Generate numbers|Add number/);
  });
});

describe('the form of a number', () => {
  it('asks for one owner only, and for numbers where it forwards', async () => {
    const page = await open(`/virtual-numbers/${uuid(7)}/edit`, {
      ...list,
      [`GET /sip-numbers/${uuid(7)}`]: () => ({ body: { data: row(7, { user: { id: uuid(1), name: 'Anna', email: null } }) } }),
    });
    await page.until('the form', () => all('[data-path="number"] input').length === 1);
    const shown = () => ['user', 'device', 'domain', 'forward_numbers', 'picked_numbers'].filter((path) => all(`[data-path="${path}"]`).length > 0);
    expect(shown()).toEqual(['user']);
    await press(one('[data-path="user"] .chip-remove'));
    expect(shown()).toEqual(['user', 'device', 'domain']);
    const select = one<HTMLSelectElement>('[data-path="forward_mode"] select');
    await act(async () => {
      select.value = 'manual';
      select.dispatchEvent(new Event('change', { bubbles: true }));
      await Promise.resolve();
    });
    expect(shown()).toContain('forward_numbers');
  });
});

describe('a call in the history', () => {
  const end = (more: Partial<CallEnd>): CallEnd => ({ number: '1003', name: null, user: null, device: null, group: null, address: null, ...more });
  it('says where an end is without the house everything stands in', () => {
    expect(placeOf(end({ name: 'Boris', address: 'Riverside · Tower B · 22' }))).toBe('1003 · Tower B · 22');
    expect(placeOf(end({ address: 'Riverside' }))).toBe('Riverside');
    expect(placeOf(end({}))).toBe('');
  });
});
