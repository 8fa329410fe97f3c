import { uuid } from '#tests/support/people.ts';
import { all, type areaPages, manyPeople, one, person, press, role, rowsAnswer } from './area-page.ts';

/** The person whose form is open. */
export const id = uuid(40);
export const item = (more: Record<string, unknown> = {}) => ({ [`GET /users/${id}`]: () => ({ body: { data: person(40, more) } }) });
/** The lists from which the form of a person chooses. */
export const lists = {
  'GET /users': manyPeople(3),
  'GET /groups': () => rowsAnswer([{ id: uuid(30), name: 'Tower', path: ['Riverside', 'Tower'], version: 1 }]),
  'GET /roles': () => rowsAnswer([role(20, { name: 'Resident' }), role(29, { name: 'Owner', permissions: ['can_view_backups'] })]),
};

export const input = (path: string): HTMLInputElement => one(`[data-path="${path}"] input`);
export const issue = (path: string) => document.querySelector(`[data-path="${path}"] .field-issue`)?.textContent;
export const save = (): Promise<void> => press(one('button[type="submit"]'));

type Open = ReturnType<typeof areaPages>;
/** Opens the form of the person, with more answers of the server and other fields than usual. */
export const editing =
  (open: Open) =>
  async (handlers: Parameters<Open>[1] = {}, more: Record<string, unknown> = {}) => {
    const page = await open(`/users/${id}/edit`, { ...lists, ...item(more), ...handlers });
    await page.until('the form', () => all('[data-path="name"] input').length === 1);
    return page;
  };
