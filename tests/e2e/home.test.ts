import { describe, expect, it } from 'vitest';
import { atWork } from './support/person.ts';
import { setStage } from './support/stage.ts';
import { simulated } from './support/alarms.ts';

const stage = setStage();
const cards = [
  'Needs attention',
  'Calls waiting and missed',
  'Colleagues on duty',
  'Doors',
  'My doors',
  'My guests',
  'My recent calls',
  'My number',
  'Not activated yet',
  'Users by role',
];

describe('the home page', () => {
  it('of a front desk has calls, colleagues and doors, which are held open there', async () => {
    await simulated(stage, 'Tower B lobby');
    const concierge = await atWork(stage, 'concierge', { width: 1280, height: 720 });
    const { page } = concierge;
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    for (const name of ['Needs attention', 'Calls waiting and missed', 'Colleagues on duty', 'Doors']) await card(name).waitFor();
    for (const name of ['Not activated yet', 'My recent calls', 'My number']) expect(await card(name).count()).toBe(0);
    await card('Doors')
      .getByRole('button', { name: /^Show all / })
      .click();
    const open = card('Doors').getByRole('button', { name: 'Open door: Tower B lobby', exact: true });
    await open.focus();
    await page.keyboard.down('Enter');
    await card('Doors').getByText('Opened, confirmed by the device').waitFor();
    await page.keyboard.up('Enter');
    await card('Doors').getByRole('button', { name: 'Add Tower B lobby to favourites', exact: true }).click();
    await page.reload();
    await card('Doors').waitFor();
    expect(await card('Doors').locator('.line-name').first().textContent()).toBe('Tower B lobby');
    await concierge.close();
  });

  it('of a resident is their apartment: the doors their card opens, without the lists of those who look after others', async () => {
    await simulated(stage, 'Tower B lobby');
    const resident = await atWork(stage, 'resident');
    const { page } = resident;
    const doors = page.getByRole('region', { name: 'My doors', exact: true });
    await doors.getByRole('button', { name: /^Show all / }).click();
    expect(await doors.getByText('Tower A lobby').count()).toBe(0);
    await doors.getByRole('button', { name: 'Open door: Tower B lobby', exact: true }).focus();
    await page.keyboard.down('Enter');
    await doors.getByText('Opened, confirmed by the device').waitFor();
    await page.keyboard.up('Enter');
    await page.getByRole('region', { name: 'My recent calls', exact: true }).waitFor();
    await page.getByRole('region', { name: 'My number', exact: true }).getByText('1003').waitFor();
    const there = await Promise.all(cards.map(async (name) => ((await page.getByRole('region', { name, exact: true }).count()) > 0 ? name : null)));
    expect(there.filter((name) => name !== null)).toEqual(['My doors', 'My guests', 'My recent calls', 'My number']);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await resident.close();
  });

  it('of a resident stands still from its first frame on: number and doors are where they were before anything has come', async () => {
    await simulated(stage, 'Tower B lobby');
    for (const size of [{}, { width: 390, height: 844 }]) {
      const resident = await atWork(stage, 'resident', size);
      const { page } = resident;
      // Every place at which these cards were ever drawn, within the page's content.
      await page.addInitScript(`window.places = {}; (function look() {
        const home = document.querySelector('.home');
        for (const card of document.querySelectorAll('.home-card')) {
          const { top, height } = card.getBoundingClientRect();
          if (height > 0) (window.places[card.querySelector('h2').textContent] ??= new Set()).add(Math.round(top - home.getBoundingClientRect().top));
        }
        requestAnimationFrame(look);
      })()`);
      await page.reload();
      const doors = page.getByRole('region', { name: 'My doors', exact: true });
      await doors.getByRole('button', { name: /^Show all / }).waitFor();
      await page.getByRole('region', { name: 'Announcements', exact: true }).getByRole('link').first().waitFor();
      await page.getByRole('region', { name: 'My recent calls', exact: true }).getByRole('listitem').first().waitFor();
      const places = (name: string) => page.evaluate(`[...(window.places[${JSON.stringify(name)}] ?? [])].length`);
      expect([await places('Announcements'), await places('My doors'), await places('My number')]).toEqual([1, 1, 1]);
      await resident.close();
    }
  });
});
