import { describe, expect, it } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { all, areaPages, one, press, rowsAnswer, type } from './support/area-page.ts';
import { input, issue } from './support/user-form.ts';

const open = areaPages();

describe('an editor in a dialog', () => {
  const markers = {
    'GET /markers': () =>
      rowsAnswer([
        { id: uuid(70), name: 'VIP', color: '#112233', version: 1, created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' },
      ]),
  };
  it('opens over the list, approves, and the list is read anew', async () => {
    const page = await open('/markers', { ...markers, 'PUT /markers': () => ({ status: 201, body: { data: uuid(71) } }) });
    await page.shows('VIP');
    await press('Add marker');
    await page.until('the dialog', () => all('.modal form').length === 1);
    expect(all('.modal-foot button').map(({ textContent }) => textContent)).toEqual(['Cancel', 'Approve']);
    await press('Approve');
    await page.until('the finding', () => issue('name') === 'This field is required');
    const before = page.server.asked('GET', '/markers').length;
    await type(input('name'), 'Quiet');
    await press(one('.swatch[aria-label="#12805c"]'));
    await press('Approve');
    await page.until('closed', () => all('.modal').length === 0);
    expect(page.server.asked('PUT', '/markers')[0]?.body).toEqual({ name: 'Quiet', color: '#12805c' });
    await page.until('read anew', () => page.server.asked('GET', '/markers').length > before);
  });

  it('has actions, cancel and approve for a stored row; the first field takes the focus, deleting is among the actions', async () => {
    const marker = {
      id: uuid(70),
      name: 'VIP',
      color: '#112233',
      version: 1,
      created_at: '2026-01-02T03:04:05.000Z',
      updated_at: '2026-01-02T03:04:05.000Z',
    };
    const page = await open('/markers', { ...markers, [`GET /markers/${uuid(70)}`]: () => ({ body: { data: marker } }) });
    await page.shows('VIP');
    await press(one('tbody td:nth-child(2)'));
    await page.until('the form', () => all('.modal form').length === 1);
    expect(all('.modal-foot button').map(({ textContent }) => textContent)).toEqual(['Actions', 'Cancel', 'Approve']);
    expect(document.activeElement).toBe(input('name'));
    await press('Actions');
    expect(all('.modal [role="menuitem"]').map(({ textContent }) => textContent)).toEqual(['Delete']);
    await press(one('.modal [role="menuitem"]'));
    await page.shows('Delete marker “VIP”?');
  });
});
