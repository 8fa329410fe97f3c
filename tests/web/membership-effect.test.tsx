import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { chooser, editPerson, id } from './support/user-form.ts';

const part = (people: number, ...names: string[]) => ({
  people,
  doors: names.map((name, at) => ({ device: { id: uuid(700 + at), name }, floor: null, people })),
});

it('another role of a person tells which doors the console opens to them, beside what rules change', async () => {
  const { user, server } = await editPerson(
    { 'POST /access/effect': () => ({ body: { data: { opens: part(1, 'Main gate', 'Yard'), closes: part(0), hours: part(0) } } }) },
    { role: { id: uuid(20), name: 'Resident' } },
  );
  const title = 'Doors they can open from the console';
  expect(screen.queryByRole('region', { name: title })).toBeNull();
  await user.click(chooser('Role', 'Resident'));
  await user.click(await screen.findByRole('radio', { name: 'Owner' }));
  const console = within(await screen.findByRole('region', { name: title }));
  await console.findByText('Main gate');
  expect(server.asked('POST', '/access/effect').map(({ body }) => body)).toEqual([
    { area: 'user-roles', id, draft: expect.objectContaining({ role: uuid(29) }) },
  ]);
  // What rules open does not change with the role.
  expect(screen.queryByRole('region', { name: 'What changes' })).toBeNull();
  await user.click(chooser('Role', 'Owner'));
  await user.click(await screen.findByRole('radio', { name: 'Resident' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: title })).toBeNull());
});
