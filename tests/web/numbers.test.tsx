import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CallEnd, HistoryCall } from '#models/call-history.ts';
import { storedPassword } from '#models/stored-password.ts';
import { groups } from '#models/groups.ts';
import { sipNumbers } from '#models/sip-numbers.ts';
import { sipTrunks } from '#models/sip-trunks.ts';
import { placeOf } from '#src/resources/call-history/cells.tsx';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage } from './support/area-page.ts';
import { descriptionOf, fill } from './support/user.ts';

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
    expect(draft['password']).toBe(storedPassword);
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
    const { user, server } = await openPage('/virtual-numbers', {
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
    await screen.findByText('Number 1001');
    await user.click(screen.getByRole('button', { name: 'Generate numbers' }));
    const dialog = within(await screen.findByRole('dialog'));
    const from = await dialog.findByRole('textbox', { name: 'First number' });
    await user.click(dialog.getByRole('button', { name: 'Preview' }));
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('textbox', { name: /^First number/ })));
    await waitFor(() => expect(descriptionOf(from)).toContain('This field is required'));
    expect(server.asked('POST', '/sip-numbers/preview')).toEqual([]);
    await fill(user, from, '1200');
    await fill(user, dialog.getByRole('textbox', { name: 'Quantity' }), '4');
    await user.click(dialog.getByRole('button', { name: 'Preview' }));
    await dialog.findByText(/1200 to 1203\./);
    expect(dialog.getByText(/1201/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Create 3 numbers' }));
    await waitFor(() => expect(server.asked('POST', '/sip-numbers/generate')).toHaveLength(1));
    expect(server.asked('POST', '/sip-numbers/generate')[0]?.body).toEqual({ from: '1200', count: 4, name: null, is_reserved: false });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('offers neither adding nor generating to those who may only look', async () => {
    await openPage('/virtual-numbers', list, annaWith('can_view_all_sip_numbers'));
    await screen.findByText('Number 1001');
    expect(document.body.textContent).not.toMatch(/Generate numbers|Add number/);
  });
});

describe('the form of a number', () => {
  it('asks for one owner only, and for numbers where it forwards', async () => {
    const { user } = await openPage(`/virtual-numbers/${uuid(7)}/edit`, {
      ...list,
      [`GET /sip-numbers/${uuid(7)}`]: () => ({ body: { data: row(7, { user: { id: uuid(1), name: 'Anna', email: null } }) } }),
    });
    await screen.findByRole('textbox', { name: 'Number' });
    const shown = () => ['User', 'Device', 'Group', 'Numbers', 'Virtual numbers'].filter((name) => screen.queryByRole('group', { name }));
    expect(shown()).toEqual(['User']);
    await user.click(screen.getByRole('button', { name: 'Remove Anna' }));
    expect(shown()).toEqual(['User', 'Device', 'Group']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Forwarding' }), 'manual');
    await waitFor(() => expect(shown()).toContain('Numbers'));
  });
});

describe('a call in the history', () => {
  const end = (more: Partial<CallEnd>): CallEnd => ({ number: '1003', name: null, user: null, device: null, group: null, address: null, ...more });
  it('says where an end is without the house everything stands in', () => {
    expect(placeOf(end({ name: 'Boris', address: 'Riverside · Tower B · 22' }))).toBe('1003 · Tower B · 22');
    expect(placeOf(end({ address: 'Riverside' }))).toBe('Riverside');
    expect(placeOf(end({}))).toBe('');
  });

  it('that a trunk refused says which one, why, and with what code', async () => {
    const call: HistoryCall = {
      ...stamps,
      id: uuid(9),
      type: 'outgoing_failed',
      direction: 'outgoing',
      status: 'failed',
      from: end({ number: '1001', name: 'Anna' }),
      to: end({ number: '+442079460958' }),
      answered_by: null,
      transferred_by: null,
      transferred_to: null,
      group: null,
      device: null,
      duration: 0,
      waited: 2,
      ended_at: stamps.created_at,
      end_reason: 'unavailable',
      refusal: { trunk: 'City line', status: 403, reason: 'No credit' },
      sos: false,
      video: false,
      door_opened: false,
      door_name: null,
      door_opened_by: null,
      door_reason: null,
      note: null,
      image_url: null,
    };
    await openPage(`/call-history/${call.id}`, { [`GET /calls/history/${call.id}`]: () => ({ body: { data: call } }) });
    const fact = (await screen.findByText('Refused by trunk')).nextElementSibling;
    expect(fact?.textContent).toBe('City line: the provider does not allow this call (403 No credit)');
  });
});
