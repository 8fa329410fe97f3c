import { describe } from 'vitest';
import { interceptionStory } from '#tests/support/stories/interception.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { fakeMedia, openPhone } from './support/desk.ts';
import { setGate } from './support/gate.ts';
import { named, type StoredRow } from './support/records.ts';
import { api, tokenOf } from './support/server.ts';
import { setStage } from './support/stage.ts';
import { atRest, setTab, signsOn } from './support/story-page.ts';

const stage = setStage({}, fakeMedia);
const openTab = setTab(stage, 'concierge');
const [lost, warning] = ['lost', 'At least one group must be selected'] as const;
const retryPause = 30_000;

/** How it stands at the server, whatever this page has heard. */
async function atServer(isActive: boolean): Promise<void> {
  const token = await tokenOf(stage.server, 'concierge');
  const [group] = await named<StoredRow>(stage, 'groups', 'Riverside');
  const body = { is_active: isActive, domains: [group?.id] };
  const { status } = await api(stage.server, 'POST', '/calls/interception', { token, body });
  if (status !== 200) throw new Error(`interception ${isActive}: ${status}`);
}

const part = '.phone-part';
const signs = {
  chosen: `${part} .interception-group input:checked`,
  state: `${part} .interception-state .tag`,
  warned: '.alert-stack [data-tone="warn"]',
  unreachable: `${part} .empty-state`,
};

async function driver(): Promise<Driver> {
  await atServer(false);
  const page = await openTab();
  await page.clock.install();
  const [reading, setting] = [
    await setGate(page, (path, method) => path === '/calls/interception' && method === 'GET'),
    await setGate(page, (path, method) => path === '/calls/interception' && method === 'POST'),
  ];
  reading.hold();
  setting.hold();
  await page.goto('/home');
  await openPhone(page);
  await page.getByRole('tab', { name: 'Intercept', exact: true }).click();
  const boxes = page.locator(`${part} .interception-group`).getByRole('checkbox');
  const unchooseAll = async (): Promise<void> => {
    while ((await boxes.and(page.locator(':checked')).count()) > 0) await boxes.and(page.locator(':checked')).first().uncheck();
  };
  const others = ['Tower A', 'Tower B', 'Parking'];
  const button = (name: string) => page.locator(part).getByRole('button', { name, exact: true });
  const usable = (name: string) => async () => (await button(name).isVisible()) && button(name).isEnabled();
  const refused = { status: 403, code: 'forbidden', message: 'forbidden' } as const;
  const look = async (): Promise<string> => {
    const { chosen, state, warned, unreachable } = await signsOn(page, signs);
    if (setting.waiting() > 0) return state === 'Interception on' ? 'ending' : 'beginning';
    if (reading.waiting() > 0) return 'reading';
    if (unreachable !== undefined) return 'outOfReach';
    if (state === 'Interception on') return 'running';
    if (chosen !== undefined) return 'chosen';
    return warned?.includes(warning) ? 'warned' : 'noneChosen';
  };
  const again = async (): Promise<void> => {
    reading.hold();
    await page.locator(part).getByRole('button', { name: 'Refresh', exact: true }).click();
  };
  return {
    where: (expected) => atRest(page, look, expected),
    words: {
      // The choice of last time is offered anew; here nothing is to be chosen yet.
      nothingRuns: async () => {
        await atServer(false);
        await reading.decideThese('through');
        await page.locator(`${part} fieldset:enabled :checked`).first().waitFor();
        await unchooseAll();
      },
      itRuns: async () => {
        await atServer(true);
        await reading.decideThese('through');
      },
      noAnswer: () => reading.decideThese(lost),
      tryAgain: again,
      timePasses: () => page.clock.fastForward(retryPause),
      choose: async () => {
        const warned = page.locator('.alert-stack .alert', { hasText: warning });
        if (await warned.isVisible()) await warned.getByRole('button').last().click();
        await boxes.first().check();
      },
      unchoose: unchooseAll,
      addAnother: async () => {
        const name = others.shift() ?? '';
        await page.locator(part).getByRole('searchbox').fill(name);
        // Its place stands beside the name.
        await page
          .locator(part)
          .getByRole('button', { name: new RegExp(`^${name}`) })
          .first()
          .click();
      },
      begin: () => button('Start intercepting').click(),
      hasBegun: () => setting.decideThese('through'),
      isRefused: () => setting.decideThese(refused),
      end: () => button('Stop intercepting').click(),
      hasEnded: () => setting.decideThese('through'),
    },
    buttons: [
      { name: 'begin', words: ['begin'], isThere: async () => (await look()) !== 'warned' && usable('Start intercepting')() },
      { name: 'end', words: ['end'], isThere: usable('Stop intercepting') },
    ],
  };
}

describe('interception tells its story in the browser', () => {
  runStory(interceptionStory, driver, { onward: true });
});
