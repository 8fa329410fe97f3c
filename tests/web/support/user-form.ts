import { screen, within } from '@testing-library/react';
import { uuid } from '#tests/support/people.ts';
import { manyPeople, openPage, person, role, rowsAnswer } from './area-page.ts';

/** The person whose form is open. */
export const id = uuid(40);
export const item = (more: Record<string, unknown> = {}) => ({ [`GET /users/${id}`]: () => ({ body: { data: person(40, more) } }) });
/** The lists from which the form of a person chooses. */
export const lists = {
  'GET /users': manyPeople(3),
  'GET /groups': () => rowsAnswer([{ id: uuid(30), name: 'Tower', path: ['Riverside', 'Tower'], version: 1 }]),
  'GET /roles': () => rowsAnswer([role(20, { name: 'Resident' }), role(29, { name: 'Owner', permissions: ['can_view_backups'] })]),
};

/** A line of the form. */
export const input = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
/** The button of a field that opens the sheet to choose from. */
export const chooser = (field: string, name: string): HTMLElement => within(screen.getByRole('group', { name: field })).getByRole('button', { name });
export const saveButton = (): HTMLElement => screen.getByRole('button', { name: 'Save' });

/** Opens the form of the person, with more answers of the server and other fields than usual. */
export async function editPerson(handlers: Parameters<typeof openPage>[1] = {}, more: Record<string, unknown> = {}) {
  const page = await openPage(`/users/${id}/edit`, { ...lists, ...item(more), ...handlers });
  await screen.findByRole('textbox', { name: 'Name' });
  return page;
}
