import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { annaWith, openPage, rowsAnswer } from './support/area-page.ts';

const row = (more: Record<string, unknown> = {}) => ({
  id: uuid(60),
  version: 1,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  name: 'Pixel',
  description: null,
  owner: { id: uuid(61), name: 'Olga' },
  state: 'waiting',
  phone: null,
  activated_at: null,
  code_until: null,
  revoked_at: null,
  lost_at: null,
  last_used_at: null,
  passes_count: 0,
  created_by: null,
  ...more,
});
const actionsOf = async (more: Record<string, unknown>, codes: readonly string[]) => {
  const page = await openPage(
    '/ukey2',
    {
      'GET /identifiers/ukey2': () => rowsAnswer([row(more)]),
      [`POST /identifiers/ukey2/${uuid(60)}/code`]: () => ({ body: { data: { code: 'ABCD-EFGH-2345', until: '2026-03-03T10:00:00.000Z' } } }),
      [`POST /identifiers/ukey2/${uuid(60)}/revoke`]: () => ({ body: { data: null } }),
    },
    annaWith('can_view_ukey2', ...codes),
  );
  await page.user.click(await screen.findByRole('button', { name: /Pixel/ }));
  return { ...page, items: screen.queryAllByRole('menuitem').map(({ textContent }) => textContent) };
};

describe('the list of mobile keys', () => {
  it('tells the activation code of a waiting key once, when it is asked for', async () => {
    const { user, server, items } = await actionsOf({}, ['can_issue_ukey2', 'can_revoke_ukey2']);
    expect(items).toEqual(expect.arrayContaining(['Activation code', 'Revoke']));
    await user.click(screen.getByRole('menuitem', { name: 'Activation code' }));
    expect(screen.queryByRole('textbox', { name: 'Activation code' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Create code' }));
    expect(await screen.findByDisplayValue('ABCD-EFGH-2345')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Create code' })).toBeNull();
    await waitFor(() => expect(server.asked('POST', `/identifiers/ukey2/${uuid(60)}/code`)).toHaveLength(1));
  });

  it('offers no code for a key that a phone holds', async () => {
    const active = { state: 'active', phone: 'Pixel 9', activated_at: '2026-03-01T10:00:00.000Z' };
    expect((await actionsOf(active, ['can_issue_ukey2', 'can_revoke_ukey2'])).items).not.toContain('Activation code');
  });
});
