import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { openPage, rowsAnswer } from './support/area-page.ts';
import { descriptionOf, fill } from './support/user.ts';
import { input } from './support/user-form.ts';

const marker = {
  id: uuid(70),
  name: 'VIP',
  color: '#112233',
  version: 1,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
};
const markers = { 'GET /markers': () => rowsAnswer([marker]) };
/** The buttons that say words; those of the form's colours show them. */
const buttons = (dialog: HTMLElement): string[] =>
  within(dialog)
    .getAllByRole('button', { name: /^[^#]/ })
    .map(({ textContent }) => textContent);

describe('an editor in a dialog', () => {
  it('opens over the list, approves, and the list is read anew', async () => {
    const { user, server } = await openPage('/markers', { ...markers, 'PUT /markers': () => ({ status: 201, body: { data: uuid(71) } }) });
    await screen.findByText('VIP');
    await user.click(screen.getByRole('button', { name: 'Add marker' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add marker' });
    const name = await within(dialog).findByRole('textbox', { name: 'Name' });
    expect(buttons(dialog)).toEqual(['Cancel', 'Approve']);
    const approve = within(dialog).getByRole('button', { name: 'Approve' });
    await user.click(approve);
    await waitFor(() => expect(descriptionOf(name)).toEqual(['This field is required']));
    const before = server.asked('GET', '/markers').length;
    await fill(user, name, 'Quiet');
    await user.click(within(dialog).getByRole('button', { name: '#12805c' }));
    await user.click(approve);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.asked('PUT', '/markers')[0]?.body).toEqual({ name: 'Quiet', color: '#12805c' });
    await waitFor(() => expect(server.asked('GET', '/markers').length).toBeGreaterThan(before));
  });

  it('has actions, cancel and approve for a stored row; the first field takes the focus, deleting is among the actions', async () => {
    const { user } = await openPage('/markers', { ...markers, [`GET /markers/${uuid(70)}`]: () => ({ body: { data: marker } }) });
    await user.click(await screen.findByText('VIP'));
    const dialog = await screen.findByRole('dialog', { name: 'Edit marker' });
    await within(dialog).findByRole('textbox', { name: 'Name' });
    expect(buttons(dialog)).toEqual(['Actions', 'Cancel', 'Approve']);
    expect(document.activeElement).toBe(input('Name'));
    await user.click(within(dialog).getByRole('button', { name: 'Actions' }));
    const lines = await within(dialog).findAllByRole('menuitem');
    expect(lines.map(({ textContent }) => textContent)).toEqual(['Delete']);
    await user.click(within(dialog).getByRole('menuitem', { name: 'Delete' }));
    await screen.findByText('Delete marker “VIP”?');
  });
});
