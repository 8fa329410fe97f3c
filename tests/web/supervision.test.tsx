import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { supervised } from '#machines/supervision.ts';
import { singleton } from '#machines/system.ts';
import { alarm, deskAnna } from '#tests/support/watch.ts';
import { areaPages, one, type } from './support/area-page.ts';
import { editing, id, input } from './support/user-form.ts';

const open = areaPages();
const edited = editing(open);
const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
beforeEach(() => reported.mockClear());

/** Something is sent to an actor while its machine throws. */
const throwOnce = (actor: unknown): void => {
  const { logic, send } = actor as { logic: { transition: () => unknown }; send: (event: { type: string }) => void };
  vi.spyOn(logic, 'transition').mockImplementationOnce(() => {
    throw new Error('a fault of the test');
  });
  send.call(actor, { type: 'test.fault' });
};
type Page = Awaited<ReturnType<typeof open>>;
/** The workspace is told what nobody may tell it, and throws. */
const failWorkspace = ({ app }: Page): Promise<void> => act(async () => singleton(app, 'workspace')?.send({ type: 'page.shown' } as never));
const isOpen = ({ app }: Page): boolean => singleton(app, 'workspace') !== undefined;

describe('the console after a fault', () => {
  it('says that the alarms are being started again, and shows the alarm that came meanwhile', async () => {
    const alarms = (data: unknown[]) => ({ body: { data, meta: { page: 1, size: 50, total: data.length } } });
    let readings = 0;
    // What nobody expects: an empty place in the list of alarms.
    const page = await open('/home', { 'GET /device-alarms': () => alarms((readings += 1) === 1 ? [null] : [alarm(1)]) }, deskAnna);
    await page.shows('Alarms have stopped because of a fault and are being started again.');
    expect(page.host.querySelector('.shell')).not.toBeNull();
    await page.until('the alarm', () => document.querySelector('.alarm-row')?.textContent?.includes('Lobby') ?? false);
    expect(String(reported.mock.calls)).toContain('alarms failed');
  });

  it('stays on the screen with every part down at once, and has them all again', async () => {
    const page = await open('/home', {}, deskAnna);
    const parts = supervised.filter((part) => part !== 'phone');
    const present = (): string[] => parts.filter((part) => singleton(page.app, part));
    await act(async () => {
      for (const part of parts) throwOnce(singleton(page.app, part));
    });
    expect(present()).toEqual([]);
    expect(page.host.querySelector('.top-bar')).not.toBeNull();
    expect(page.text()).toContain('No live updates');
    for (const part of parts) expect(page.text()).toContain(page.texts.i18n.t(`interface.faults.restarting.${part}`));
    await page.until('all parts', () => present().length === parts.length);
    await page.until('the page', () => document.querySelector('main [role="status"]') === null);
  });

  it('opens the page again with what was typed in it to the last letter', async () => {
    const page = await edited();
    await type(input('description'), 'on the fourth floor');
    await failWorkspace(page);
    await page.shows('The open pages have stopped because of a fault and are being opened again.');
    expect(one('main [role="status"]').getAttribute('aria-label')).toBe('This page has stopped because of a fault and is being opened again…');
    await page.until('the form', () => document.querySelector('[data-path="description"] input, [data-path="description"] textarea') !== null);
    expect([page.where(), input('description').value]).toEqual([`/users/${id}/edit`, 'on the fourth floor']);
  });

  it('lets the person go to another page meanwhile, which is the one that is opened', async () => {
    const page = await edited();
    await type(input('description'), 'on the fourth floor');
    await failWorkspace(page);
    expect(isOpen(page)).toBe(false);
    await act(async () => page.router.navigate('/home'));
    await page.at('/home');
    await page.until('the page', () => isOpen(page) && document.querySelector('main [role="status"]') === null);
    expect(
      singleton(page.app, 'workspace')
        ?.getSnapshot()
        .context.pages.map(({ path }) => path),
    ).toEqual(['/home']);
  });

  it('lets the person go who was just being asked whether to leave', async () => {
    const page = await edited();
    await type(input('description'), 'on the fourth floor');
    await act(async () => void page.router.navigate('/home'));
    await page.shows('Leave');
    await failWorkspace(page);
    await page.at('/home');
    expect(document.querySelector('dialog[open]')).toBeNull();
  });
});
