import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isFull } from '#tests/support/extent.ts';
import { inTime } from '#tests/support/in-time.ts';
import { mirrorOf, talk } from '#tests/support/phone-mirrors.ts';
import { barriers } from './support/barriers.ts';
import { lookAtControls } from './support/controls.ts';
import { atWork, type Person, sitDown } from './support/person.ts';
import { ownPhone } from './support/phone-scenes.ts';
import { api } from './support/server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

/** What the platform promises (COMM-03): on every open page so many ms after the start. */
const promised = 1_000;

const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await api<{ data: T }>(stage.server, method, path, { token: stage.token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};
interface Made {
  id: string;
  name: string;
}
/** An alert for the people of Tower B that nobody has started. */
async function prepared(about: string, message: string): Promise<Made> {
  const name = `${about} ${randomUUID().slice(0, 6)}`;
  const filters = encodeURIComponent(JSON.stringify({ match: 'match_all', items: [{ field: 'name', rule: 'equals', value: 'Tower B' }] }));
  const [tower] = await ask<{ id: string }[]>('GET', `/groups?size=1&filters=${filters}`);
  const id = await ask<string>('PUT', '/emergency-alerts', {
    name,
    message,
    domains: [tower?.id],
    device_type: 'panel',
    playback_duration: 5,
    open_locks: false,
  });
  // One that a test leaves running would stand over the next.
  onTestFinished(async () => void (await api(stage.server, 'POST', `/emergency-alerts/${id}/stop`, { token: stage.token })));
  return { id, name };
}
const start = async ({ id }: Made, is_drill = false): Promise<void> => void (await ask('POST', `/emergency-alerts/${id}/start`, { is_drill }));
const stop = async ({ id }: Made): Promise<void> => void (await ask('POST', `/emergency-alerts/${id}/stop`));

const lineOf = (page: Page, { name }: Made) => page.locator('.emergency-line', { hasText: name });
/** When the line of an alert came onto the page, by the clock of this machine, which the server's is too. */
const appearance = (page: Page, { name }: Made): Promise<number> =>
  page.evaluate(
    (text) =>
      new Promise<number>((done) => {
        const look = (): boolean => {
          const isThere = [...document.querySelectorAll('.emergency-line')].some((line) => line.textContent?.includes(text));
          if (isThere) done(Date.now());
          return isThere;
        };
        const watch = new MutationObserver(() => {
          if (look()) watch.disconnect();
        });
        watch.observe(document.body, { childList: true, subtree: true });
        if (look()) watch.disconnect();
      }),
    name,
  );
const focused = (page: Page): Promise<{ name: string | null; value: string }> =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return { name: element?.getAttribute('aria-label') ?? element?.id ?? null, value: element instanceof HTMLInputElement ? element.value : '' };
  });

/** The administrator in the middle of everything: a call goes on, a form is half typed, and what it chooses from stands over it. */
async function inTheMiddle(dark: boolean): Promise<Person> {
  const person = await sitDown(stage, { storageState: await stage.remembered('admin'), width: 1280, height: 720, dark });
  const { page } = person;
  const now = Date.now();
  const show = await ownPhone(person.context, '1000');
  await show(mirrorOf({ calls: [talk({ video: true, startedAt: now - 96_000, activeAt: now - 84_000 })] }));
  await page.goto('/users/add');
  await page.locator('.desk-calls .call').waitFor();
  await person.field('Name').click();
  await page.keyboard.type('Greta Half');
  return person;
}

describe.each(isFull ? [false, true] : [true])('an emergency alert, dark %s', (dark) => {
  it('stands above a live call, a dialog and a half-typed form, and takes neither the focus nor a word', async () => {
    const person = await inTheMiddle(dark);
    const { page } = person;
    const alert = await prepared('Fire', 'Leave the house by the stairs.');
    await start(alert);
    await lineOf(page, alert).waitFor();
    expect((await focused(page)).value).toBe('Greta Half');
    await page.keyboard.type(' Wagner');
    expect(await person.field('Name').inputValue()).toBe('Greta Half Wagner');
    expect(await barriers(page)).toEqual([]);

    await person.frame('role').locator('button').last().click();
    const sheet = page.locator('dialog.sheet[open]');
    await sheet.getByRole('searchbox').first().click();
    await page.keyboard.type('Con');
    const drill = await prepared('Flood', 'The river rises.');
    await start(drill, true);
    const line = lineOf(page, drill);
    await line.getByText('Drill', { exact: true }).waitFor();
    expect(await line.getAttribute('data-drill')).toBe('true');
    expect((await focused(page)).value).toBe('Con');
    await page.keyboard.type('cierge');
    expect(await sheet.getByRole('searchbox').first().inputValue()).toBe('Concierge');
    await sheet
      .locator('.sheet-line', { hasText: /^Concierge/ })
      .first()
      .waitFor();

    await sheet.locator('.sheet-lines[data-busy="false"]').waitFor();

    // Everything that could be pressed before can be now, and the alert too: a call's buttons, the dialog's, its own.
    for (const where of [
      '.desk-calls .call :is(button, input)',
      'dialog.sheet[open] :is(.sheet-head button, .sheet-foot button, input)',
      '.emergency-line button',
    ]) {
      const { names, covered } = await page.evaluate(lookAtControls, where);
      expect([where, names.length > 0, covered]).toEqual([where, true, []]);
    }
    expect(await barriers(page)).toEqual([]);
    await line.getByRole('button', { name: 'I am safe' }).click();
    await line.getByText('You are marked as safe').waitFor();
    expect(await sheet.isVisible()).toBe(true);

    await Promise.all([stop(alert), stop(drill)]);
    for (const each of [alert, drill]) await lineOf(page, each).waitFor({ state: 'detached' });
    await sheet
      .locator('.sheet-line', { hasText: /^Concierge/ })
      .first()
      .click();
    expect(await person.field('Name').inputValue()).toBe('Greta Half Wagner');
    await person.close();
  });

  it("is on a resident's phone in a second, and its answers are counted live", async () => {
    const alert = await prepared('Gas', 'Open the windows, touch no switches.');
    const [desk, resident, outsider] = await Promise.all([
      atWork(stage, 'concierge', { at: `/emergency-alerts/${alert.id}`, dark }),
      atWork(stage, 'resident', { dark, width: 390, height: 844 }),
      atWork(stage, 'concierge2', { dark }),
    ]);
    await desk.press('Start alert');
    const dialog = desk.page.locator('dialog.modal[open]');
    await dialog.getByText('Open the windows, touch no switches.').waitFor();
    const pages = [desk.page, resident.page];
    const shown = pages.map((page) => appearance(page, alert));
    await dialog.getByRole('button', { name: 'Start alert', exact: true }).click();
    const moments = await Promise.all(shown);
    const row = await ask<{ started_at: string }>('GET', `/emergency-alerts/${alert.id}`);
    for (const moment of moments) expect(moment - Date.parse(row.started_at)).toBeLessThan(inTime(promised));
    await dialog.waitFor({ state: 'detached' });

    expect(await resident.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect((await resident.page.evaluate(lookAtControls, '.emergency-line button')).covered).toEqual([]);
    expect(await barriers(resident.page)).toEqual([]);
    const people = desk.page.getByRole('region', { name: 'Recipients', exact: true });
    await people.getByText(/^0 of \d+ safe$/).waitFor();
    await lineOf(resident.page, alert).getByRole('button', { name: 'I am safe' }).click();
    await people.getByText(/^1 of \d+ safe$/).waitFor();
    await people.locator('.alert-person', { hasText: 'Boris Hale' }).getByText('Safe', { exact: true }).waitFor();
    expect(await barriers(desk.page)).toEqual([]);
    // It stays until it is stopped, also for who comes back.
    await resident.page.reload();
    await lineOf(resident.page, alert).getByText('You are marked as safe').waitFor();
    expect(await lineOf(outsider.page, alert).count()).toBe(0);

    await desk.press('Stop');
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    for (const page of pages) await lineOf(page, alert).waitFor({ state: 'detached' });
    for (const person of [desk, resident, outsider]) await person.close();
  });
});
