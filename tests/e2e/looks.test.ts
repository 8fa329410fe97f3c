import { describe, expect, it } from 'vitest';
import { drawn, goTo, height, lookAt, manners } from './support/looks.ts';
import { sitDown } from './support/person.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const screens = [
  '/home',
  '/users',
  '/users/add',
  '/roles',
  '/roles/add',
  '/groups',
  '/groups/add',
  '/markers',
  '/group-types',
  '/audit-events',
  '/devices',
  '/devices/add',
  '/devices/events',
  '/devices/tasks',
  '/devices/search',
  '/devices/remote-control',
  '/devices/alarms',
  '/devices/alarms-calls',
  '/notifications',
  '/notifications/settings',
  '/licenses',
  '/virtual-numbers',
  '/virtual-numbers/add',
  '/call-history',
  '/sip-trunks/add',
  '/profile',
  '/mails',
  '/simulator',
  '/nowhere',
];

/** Looked at where barriers are looked for, and no further: each takes a second. */
const furtherScreens = [
  '/announces',
  '/announces/add',
  '/announces/response',
  '/amenities',
  '/amenities/add',
  '/amenities/reservations',
  '/emergency-alerts',
  '/emergency-alerts/add',
  '/conversations',
  '/mail-templates',
  '/mail-templates/add',
  '/backups',
  '/system-info',
  '/reports/licenses',
  '/general-settings',
  ...['registration', 'mail', 'templates', 'sip', 'white-label', 'wallet', 'integrations', 'markers'].map(
    (section) => `/general-settings/${section}`,
  ),
  '/integration/add',
  '/forward-rules',
  '/forward-rules/add',
  '/sip-trunks',
  '/guest-access',
  '/schedules',
  '/schedules/add',
  '/access-rules',
  '/access-rules/add',
  '/identifiers',
  '/identifiers/add',
  '/ukey2',
  '/access-matrix',
  '/access-control/events',
  '/elevators',
  '/elevators/events',
  '/elevators/access-rules',
];
/** Lists of which a row is opened. */
const opened = ['/users', '/roles', '/devices', '/announces', '/amenities', '/emergency-alerts', '/identifiers'];

describe.each(manners)('every screen in $locale, dark $dark, $width px wide', ({ locale, dark, width, axe }) => {
  it('is accessible, fits, speaks in words and throws nothing', async () => {
    const { page, enter, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
    const found: string[] = [];
    const look = lookAt(page, found, { axe });
    const lookInside = lookAt(page, found, { axe, within: 'main' });
    await page.goto('/login');
    await page.locator('#login').waitFor();
    await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
    await look('/login');
    await page.goto(`/registration/${'x'.repeat(43)}`);
    await page.locator('.session-note-bad').waitFor();
    await look('/registration');
    await enter('admin');
    for (const path of screens) {
      await goTo(page, path);
      // The menu and the line above are those of the first screen.
      await (path === screens[0] ? look(path) : lookInside(path));
    }
    if (width === 390) {
      // The menu, which a phone opens: its longest entries are in Russian.
      await page.locator('.top-menu').click();
      await page.locator('.side-menu').waitFor();
      await look('the menu');
      await page.keyboard.press('Escape');
      await page.locator('.side-menu').waitFor({ state: 'detached' });
    }
    // What is chosen from stands above the page: a filter's month.
    await goTo(page, '/devices/events');
    await page.locator('.chip-add').click();
    await page.locator('.filter-fields button').last().click();
    await page.locator('.p-datepicker').waitFor();
    await look('a filter by date');
    expect(found).toEqual([]);
    await close();
  });
});

describe.each(manners.filter(({ axe }) => axe))('every further screen in $locale, dark $dark, $width px wide', ({ locale, dark, width }) => {
  it('is accessible, fits and speaks in words', async () => {
    const { page, enter, close } = await sitDown(stage, { locale, dark, width, height: height(width) });
    const found: string[] = [];
    const look = lookAt(page, found, { axe: true, within: 'main' });
    await page.goto('/login');
    await page.locator('#login').waitFor();
    await page.getByRole('button', { name: locale === 'ru-RU' ? 'Русский' : 'English' }).click();
    await enter('admin');
    for (const path of furtherScreens) {
      await goTo(page, path);
      await look(path);
    }
    for (const path of opened) {
      await goTo(page, path);
      await page.locator('tbody tr td.cell-first').first().click();
      await page.waitForURL((url) => url.pathname !== path);
      await drawn(page);
      await look(`a row of ${path}`);
    }
    expect(found).toEqual([]);
    await close();
  });
});
