import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { supervised } from '#machines/console/supervision.ts';
import { singleton } from '#machines/system.ts';
import { alarm, deskAnna } from '#tests/support/watch.ts';
import { openPage } from './support/area-page.ts';
import { fill } from './support/user.ts';
import { editPerson, id, input } from './support/user-form.ts';

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
type Page = Awaited<ReturnType<typeof openPage>>;
const failWorkspace = ({ app }: Page): Promise<void> => act(async () => throwOnce(singleton(app, 'workspace')));
const isOpen = ({ app }: Page): boolean => singleton(app, 'workspace') !== undefined;
const pageRestarts = 'This page stopped because of an error and is being reopened…';

describe('the console after a fault', () => {
  it('says that the alarms are being started again, and shows the alarm that came meanwhile', async () => {
    const alarms = (data: unknown[]) => ({ body: { data, meta: { page: 1, size: 50, total: data.length } } });
    let readings = 0;
    // What nobody expects: an empty place in the list of alarms.
    await openPage('/home', { 'GET /device-alarms': () => alarms((readings += 1) === 1 ? [null] : [alarm(1)]) }, deskAnna);
    await screen.findByText(/Alarms stopped because of an error and are restarting\./);
    expect(screen.getByRole('heading', { level: 1 })).toBeTruthy();
    await screen.findByRole('button', { name: /Acknowledge/ });
    expect(String(reported.mock.calls)).toContain('alarms failed');
  });

  it('stays on the screen with every part down at once, and has them all again', async () => {
    const page = await openPage('/home', {}, deskAnna);
    const parts = supervised.filter((part) => part !== 'phone');
    const present = (): string[] => parts.filter((part) => singleton(page.app, part));
    await act(async () => {
      for (const part of parts) throwOnce(singleton(page.app, part));
    });
    expect(present()).toEqual([]);
    expect(within(screen.getByRole('banner')).getByText(/Live updates are off/)).toBeTruthy();
    for (const part of parts) expect(screen.getByText(page.texts.i18n.t(`interface.faults.restarting.${part}`))).toBeTruthy();
    await waitFor(() => expect(present()).toEqual(parts));
    await waitFor(() => expect(screen.queryByRole('status', { name: pageRestarts })).toBeNull());
  });

  it('opens the page again with what was typed in it to the last letter', async () => {
    const page = await editPerson();
    await fill(page.user, input('Description'), 'on the fourth floor');
    await failWorkspace(page);
    await screen.findByText(/The open pages stopped because of an error and are being reopened\./);
    expect(screen.getByRole('status', { name: pageRestarts })).toBeTruthy();
    const again = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Description' });
    expect([page.where(), again.value]).toEqual([`/users/${id}/edit`, 'on the fourth floor']);
  });

  it('lets the person go to another page meanwhile, which is the one that is opened', async () => {
    const page = await editPerson();
    await fill(page.user, input('Description'), 'on the fourth floor');
    await failWorkspace(page);
    expect(isOpen(page)).toBe(false);
    await act(async () => page.router.navigate('/home'));
    await page.at('/home');
    await waitFor(() => expect(isOpen(page)).toBe(true));
    await waitFor(() =>
      expect(
        singleton(page.app, 'workspace')
          ?.getSnapshot()
          .context.pages.map(({ path }) => path),
      ).toEqual(['/home']),
    );
  });

  it('lets the person go who was just being asked whether to leave', async () => {
    const page = await editPerson();
    await fill(page.user, input('Description'), 'on the fourth floor');
    await act(async () => void page.router.navigate('/home'));
    await screen.findByRole('dialog');
    await failWorkspace(page);
    await page.at('/home');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
