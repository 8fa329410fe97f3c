import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { identifiers } from '#models/identifiers.ts';
import { greyOf, photoIssue, sharpnessOf } from '#models/photo-check.ts';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';
import { descriptionOf, fill } from './support/user.ts';

const stamps = { version: 1, created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' };
const row = (number: number, more: Record<string, unknown> = {}) => ({
  ...stamps,
  id: uuid(number),
  name: `Card ${number}`,
  description: null,
  type: 'card',
  value: '00AACBDE',
  is_active: true,
  owner: null,
  owner_type: 'owner',
  guest_type: null,
  domain: null,
  access_rules: [],
  period_restrict_active: false,
  period_restrict_from: null,
  period_restrict_to: null,
  passes_restrict_active: false,
  passes_max_count: null,
  passes_count: 0,
  lock_numbers: [],
  onlyGuest: false,
  photo: null,
  url: null,
  state: 'active',
  revoked_at: null,
  lost_at: null,
  last_used_at: null,
  created_by: null,
  ...more,
});
const list = (...found: ReturnType<typeof row>[]) => ({ 'GET /identifiers': () => rowsAnswer(found) });
const value = () => screen.findByRole('textbox', { name: 'Value' });

describe('what the form of an identifier sends', () => {
  it('limits that are off as none, and a guest type of guests only', () => {
    const draft = {
      ...identifiers.initial,
      name: 'A',
      value: '1',
      period_restrict_to: '2026-03-02T10:00:00.000Z',
      passes_max_count: '3',
      guest_type: 'guest',
    };
    expect(identifiers.toWire(draft)).toMatchObject({ period_restrict_to: null, passes_max_count: null, guest_type: null });
    expect(identifiers.toWire({ ...draft, passes_restrict_active: true, owner_type: 'guest' })).toMatchObject({
      passes_max_count: 3,
      guest_type: 'guest',
    });
    expect(identifiers.check({ ...draft, owner_type: 'guest', guest_type: null })).toMatchObject([{ path: ['guest_type'], rule: 'required' }]);
  });
});

describe('the form of an identifier', () => {
  it('takes the number of a card in either notation and sends one', async () => {
    const { user, server } = await openPage('/identifiers/add', {
      ...list(),
      'PUT /identifiers': () => ({ body: { data: uuid(1) } }),
    });
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Front');
    const field = await value();
    await fill(user, field, '11193310');
    expect(descriptionOf(field)).toContain('HEX 00AACBDE');
    await user.click(screen.getByRole('radio', { name: 'HEX' }));
    expect((await value()).getAttribute('value')).toBe('00AACBDE');
    expect(descriptionOf(await value())).toContain('DEC 0011193310');
    await fill(user, await value(), 'xyz');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () => expect(descriptionOf(await value())).toContain('Enter a number or a HEX code'));
    await fill(user, await value(), 'ff');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.asked('PUT', '/identifiers')).toHaveLength(1));
    expect(server.asked('PUT', '/identifiers')[0]?.body).toMatchObject({ type: 'card', value: '000000FF', lock_numbers: [] });
  });

  it('asks for no value of what the server makes, and forgets what was typed for another type', async () => {
    const { user, server } = await openPage('/identifiers/add', { ...list(), 'PUT /identifiers': () => ({ body: { data: uuid(1) } }) });
    await fill(user, await screen.findByRole('textbox', { name: 'Name' }), 'Visitor');
    await fill(user, await value(), '77');
    await user.selectOptions(screen.getByRole('combobox', { name: /^Type/ }), 'QR code');
    expect(screen.queryByRole('textbox', { name: 'Value' })).toBeNull();
    expect(within(screen.getByRole('combobox', { name: /^Type/ })).queryByText('Ukey2')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Lock 2' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.asked('PUT', '/identifiers')).toHaveLength(1));
    expect(server.asked('PUT', '/identifiers')[0]?.body).toMatchObject({ type: 'qr', value: null, lock_numbers: [2] });
  });

  it('marks what has to be filled in, also where that depends on the rest of the form', async () => {
    const { user } = await openPage('/identifiers/add', list());
    await value();
    const marked = () => screen.getAllByText('*').map(({ parentElement }) => parentElement?.textContent.slice(0, -1));
    expect(marked()).toEqual(['Type', 'Name', 'Value', 'Issued to']);
    await user.selectOptions(screen.getByRole('combobox', { name: /^Issued to/ }), 'Guest');
    await user.click(screen.getByRole('checkbox', { name: 'Limit the number of passes' }));
    expect(marked()).toEqual(['Type', 'Name', 'Value', 'Issued to', 'Guest type', 'Passes allowed']);
    expect((await value()).getAttribute('aria-required')).toBe('true');
    await user.selectOptions(screen.getByRole('combobox', { name: /^Type/ }), 'QR code');
    expect(marked()).not.toContain('Value');
  });

  it('shows a stored number by the profile’s format and leaves it alone', async () => {
    await openPage(`/identifiers/${uuid(7)}/edit`, { ...list(row(7)), [`GET /identifiers/${uuid(7)}`]: () => ({ body: { data: row(7) } }) });
    expect((await value()).getAttribute('value')).toBe('0011193310');
    expect(screen.queryByText('Unsaved changes')).toBeNull();
  });
});

describe('the list of identifiers', () => {
  const open = async (more: Record<string, unknown>, profile = annaWith()) => {
    const opened = await openPage(
      '/identifiers',
      { ...list(row(7, more)), [`POST /identifiers/${uuid(7)}/revoke`]: () => ({ body: { data: null } }) },
      profile,
    );
    await screen.findByText('Card 7');
    return opened;
  };
  const menuOf = async (user: Awaited<ReturnType<typeof open>>['user']): Promise<string[]> => {
    await user.click(screen.getByRole('button', { name: /Card 7/ }));
    return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  };

  it('revokes after saying what that means', async () => {
    const { user, server } = await open({});
    expect(await menuOf(user)).toEqual(expect.arrayContaining(['Report lost', 'Revoke']));
    await user.click(screen.getByRole('menuitem', { name: 'Revoke' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke “Card 7”?' }));
    expect(dialog.getByText(/stops opening doors immediately/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(server.asked('POST', `/identifiers/${uuid(7)}/revoke`)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('offers what the life of an identifier has, to those who may', async () => {
    const { user } = await open({ state: 'revoked', revoked_at: stamps.created_at, type: 'ukey2', lost_at: stamps.created_at });
    const offered = await menuOf(user);
    expect(offered).toContain('Mark as found');
    expect(offered.filter((item) => ['Revoke', 'Restore', 'Report lost'].includes(item))).toEqual([]);
  });

  it('offers to delete all but a ukey2, which is revoked and stays (IDENT-13)', async () => {
    const card = await open({});
    expect(await menuOf(card.user)).toContain('Delete');
    card.close();
    const { user } = await open({ type: 'ukey2' });
    const offered = await menuOf(user);
    expect([offered.includes('Revoke'), offered.includes('Delete')]).toEqual([true, false]);
  });

  it('lets those who only see their own report them lost, and export nothing', async () => {
    const viewer = annaWith('can_view_own_identifiers');
    const { user } = await open({ owner: { id: viewer.id, name: viewer.name } }, viewer);
    expect(document.body.textContent).not.toMatch(/Export|Add identifier/);
    const offered = await menuOf(user);
    expect(offered).toContain('Report lost');
    expect(offered.filter((item) => /Revoke|Edit|Delete/.test(item))).toEqual([]);
  });

  it('shows the code of a guest’s page as a link to pass on', async () => {
    const { user } = await open({ type: 'url', url: '/guest-access/abc', owner_type: 'guest', guest_type: 'courier' });
    await menuOf(user);
    await user.click(screen.getByRole('menuitem', { name: 'Show QR code' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Card 7' }));
    expect(dialog.getByRole('img', { name: 'QR code of Card 7' })).toBeTruthy();
    expect(dialog.getByRole('textbox', { name: 'Link' }).getAttribute('value')).toBe(`${location.origin}/guest-access/abc`);
  });
});

describe('a photo', () => {
  it('is judged by size, shape and sharpness', () => {
    const edges = greyOf(
      Uint8Array.from({ length: 64 * 64 * 4 }, (_, at) => ((at >> 2) % 2 ? 255 : 0)),
      4,
    );
    const flat = greyOf(new Uint8Array(64 * 64 * 3).fill(128), 3);
    expect(sharpnessOf(edges, 64, 64)).toBeGreaterThan(1_000);
    expect(photoIssue({ width: 640, height: 480, sharpness: sharpnessOf(edges, 64, 64) })).toBeNull();
    expect(photoIssue({ width: 640, height: 480, sharpness: sharpnessOf(flat, 64, 64) })).toMatchObject({ rule: 'photo_blurred' });
    expect(photoIssue({ width: 640, height: 200, sharpness: 100 })).toMatchObject({ rule: 'photo_too_small' });
    expect(photoIssue({ width: 900, height: 300, sharpness: 100 })).toMatchObject({ rule: 'photo_shape' });
  });
});
