import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CallMirror, PhoneMirror } from '#machines/phone/mirror.ts';
import { longestWait } from '#tests/support/in-time.ts';
import { callOf, mirrorOf, talk } from '#tests/support/phone-mirrors.ts';
import { uuid } from '#tests/support/people.ts';
import { atAnotherDesk, openAlarms, quieten, sense, simulated } from './support/alarms.ts';
import { lookAtControls } from './support/controls.ts';
import { type Person, sitDown } from './support/person.ts';
import { ownPhone } from './support/phone-scenes.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
];

/** The calls a desk may have at a moment, each with what must be there to be pressed. */
const states: Readonly<Record<string, { calls: (now: number) => readonly CallMirror[]; offers: readonly string[] }>> = {
  'a call rings': { calls: (now) => [ring(now)], offers: ['Answer', 'Silence ringing', 'Decline'] },
  'an SOS rings': { calls: (now) => [sos(now)], offers: ['Answer', 'Silence ringing', 'Decline'] },
  'an answer is under way': {
    calls: (now) => [ring(now, { status: 'new', isRinging: false, isBusy: true, awaits: 'answer', may: ['call.hangUp'] })],
    offers: ['Answering…', 'Cancel'],
  },
  'a number is dialled': {
    calls: (now) => [talk({ status: 'calling', direction: 'outgoing', activeAt: null, startedAt: now - 3_000, may: ['call.hangUp', 'call.mute'] })],
    offers: ['Mute', 'Cancel'],
  },
  'one talks': { calls: (now) => [live(now)], offers: ['Mute', 'Open door', 'End'] },
  'a call is on hold': {
    calls: (now) => [live(now, { isBusy: false, isHeld: true, status: 'paused', may: ['call.resume', 'call.hangUp'] })],
    offers: ['Resume', 'End'],
  },
  'two calls ring': { calls: (now) => [ring(now), second(now)], offers: ['Answer', 'Answer', 'Silence ringing', 'Decline', 'Decline'] },
  'one talks and holds another': { calls: (now) => [live(now), held(now)], offers: ['Resume', 'Mute', 'Open door', 'End'] },
  'one talks, holds another, and a third rings': {
    calls: (now) => [live(now), held(now), second(now)],
    offers: ['Answer', 'Silence ringing', 'Decline', 'Resume', 'Mute', 'Open door', 'End'],
  },
  'one talks and two ring, one of them an SOS': {
    calls: (now) => [sos(now), live(now), second(now)],
    offers: ['Answer', 'Answer', 'Decline', 'Decline', 'Mute', 'Open door', 'End'],
  },
};
const ring = (now: number, more: Partial<CallMirror> = {}) => callOf({ video: true, startedAt: now - 12_000, ...more });
const second = (now: number) => callOf({ speechId: uuid(102), number: '2002', name: 'Tower B lobby', startedAt: now - 5_000 });
const sos = (now: number) => callOf({ speechId: uuid(101), number: '2003', name: 'Garage', sos: 'yes', startedAt: now - 3_000 });
const held = (now: number) =>
  talk({
    speechId: uuid(104),
    number: '2004',
    name: 'River gate',
    group: 'River House',
    info: null,
    startedAt: now - 130_000,
    activeAt: now - 120_000,
    isBusy: false,
    isHeld: true,
    status: 'paused',
    may: ['call.resume', 'call.hangUp'],
  });
const live = (now: number, more: Partial<CallMirror> = {}) =>
  talk({ speechId: uuid(103), video: true, startedAt: now - 96_000, activeAt: now - 84_000, ...more });

/** The open alarms, once there are so many. */
const raised = (count: number): ReturnType<typeof openAlarms> =>
  vi.waitFor(
    async () => {
      const alarms = await openAlarms(stage);
      expect(alarms.length).toBeGreaterThanOrEqual(count);
      return alarms;
    },
    { timeout: longestWait, interval: 100 },
  );

/** What may come up over a page, with the press that puts it there and away again. */
const overlays: Readonly<Record<string, { open: (page: Page) => Promise<void>; close: (page: Page) => Promise<void> }>> = {
  nothing: { open: async () => {}, close: async () => {} },
  menu: {
    open: async (page) => {
      await page.locator('.person-button').evaluate((button: HTMLElement) => button.click());
      await page.locator('.popup').waitFor();
    },
    close: async (page) => {
      await page.evaluate(() => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })));
      await page.locator('.popup').waitFor({ state: 'detached' });
    },
  },
  dialog: {
    open: async (page) => {
      await page
        .locator('.alarm-row[data-waiting="false"]')
        .first()
        .getByRole('button', { name: 'Resolve' })
        .evaluate((button: HTMLElement) => button.click());
      await page.locator('dialog[open]').waitFor();
    },
    close: async (page) => {
      await page.locator('dialog[open] textarea').press('Escape');
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
    },
  },
};

describe('the controls of ringing and live calls', () => {
  let person: Person | undefined;
  const at = (): Page => {
    if (!person) throw new Error('nobody is at the desk');
    return person.page;
  };
  let show: (mirror: PhoneMirror) => Promise<void>;
  beforeAll(async () => {
    const gym = await simulated(stage, 'Gym');
    for (const sensor of ['smoke', 'gas', 'flood'] as const) await sense(stage, gym, 'trip', sensor);
    for (const { id } of await raised(3)) await atAnotherDesk(stage, id, 'claim');
    person = await sitDown(stage, { storageState: await stage.remembered('concierge') });
    const { page, context } = person;
    // Before the console is there, which would have a phone of its own.
    show = await ownPhone(context, '1001');
    await show(mirrorOf());
    await page.goto('/users');
    await page.locator('.important-stack .important').first().waitFor();
    // An alert that stays as long as the pointer is on it.
    await page.route('**/notifications/read', (route) => route.abort());
  });
  afterAll(async () => {
    await quieten(stage);
    // The refused marks are said in the console of the browser.
    await person?.context.close();
  });

  const raiseAlert = async (page: Page): Promise<void> => {
    await page
      .locator('.important .icon-button')
      .first()
      .evaluate((button: HTMLElement) => button.click());
    const alert = page.locator('.alert-stack .alert').first();
    await alert.evaluate((card) => card.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })));
  };

  it.each([
    { width: 1366, height: 768, alone: 170, beside: 120 },
    { width: 1280, height: 720, alone: 120, beside: 75 },
  ])('leave room for the picture of the talk below three alarms at $width × $height', async ({ alone, beside, ...size }) => {
    const page = at();
    await page.setViewportSize(size);
    if ((await page.locator('.phone-button').getAttribute('aria-expanded')) !== 'true') await page.locator('.phone-button').click();
    for (const [calls, least] of [
      [[live(Date.now())], alone],
      [[live(Date.now()), second(Date.now())], beside],
    ] as const) {
      await show(mirrorOf({ calls }));
      await page.waitForFunction((count) => document.querySelectorAll('.desk-calls .call').length === count, calls.length);
      expect((await page.locator('.call-live .picture').boundingBox())?.height).toBeGreaterThan(least);
      expect(await page.locator('.desk-calls > .calls').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    }
  });

  describe.each(sizes)('at $width × $height', (size) => {
    it.each([false, true])('are hit by a press whatever else is up, the panel open: %s', async (isOpen) => {
      const page = at();
      await page.setViewportSize(size);
      const button = page.locator('.phone-button');
      if (((await button.getAttribute('aria-expanded')) === 'true') !== isOpen)
        await (isOpen ? button : page.getByRole('button', { name: 'Close phone', exact: true })).click();
      await raiseAlert(page);
      const faults: string[] = [];
      for (const [state, { calls, offers }] of Object.entries(states)) {
        const shown = calls(Date.now());
        await show(mirrorOf({ calls: shown }));
        await page.waitForFunction((count) => document.querySelectorAll('.desk-calls .call').length === count, shown.length);
        for (const [overlay, { open, close }] of Object.entries(overlays)) {
          await open(page);
          const { names, covered } = await page.evaluate(lookAtControls, undefined);
          faults.push(...covered.map((fault) => `${state}, ${overlay}: ${fault}`));
          const left = [...names];
          for (const offer of offers) {
            const at = left.indexOf(offer);
            if (at === -1) faults.push(`${state}, ${overlay}: no ${offer} among ${names.join(', ')}`);
            else left.splice(at, 1);
          }
          await close(page);
        }
      }
      expect(await page.locator('.alert-stack .alert').count()).toBeGreaterThan(0);
      expect(faults).toEqual([]);
    });
  });
});

describe("at a desk's screen of 1280 × 720", () => {
  let person: Person | undefined;
  let show: (mirror: PhoneMirror) => Promise<void>;
  const at = (): Page => {
    if (!person) throw new Error('nobody is at the desk');
    return person.page;
  };
  const showCalls = async (...calls: readonly CallMirror[]): Promise<void> => {
    await show(mirrorOf({ calls }));
    await at().waitForFunction((count) => document.querySelectorAll('.desk-calls .call').length === count, calls.length);
  };
  beforeAll(async () => {
    person = await sitDown(stage, { storageState: await stage.remembered('concierge'), width: 1280, height: 720 });
    show = await ownPhone(person.context, '1001');
    await show(mirrorOf());
    await at().goto('/users');
    await at().locator('.phone-button').click();
    await at().locator('.phone-panel').waitFor();
  });
  afterAll(() => person?.close());

  it('no control of the call at the desk moves when others come and go', async () => {
    const [page, now] = [at(), Date.now()];
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.call-live .call-foot :is(button, input)')].map((control) => {
          const { x, y, width, height } = control.getBoundingClientRect();
          return [control.textContent, x, y, width, height];
        }),
      );
    await showCalls(live(now));
    const alone = await places();
    expect(alone.length).toBeGreaterThan(6);
    for (const others of [[held(now)], [held(now), second(now)], [sos(now), second(now)], [sos(now), held(now), second(now)], []]) {
      await showCalls(live(now), ...others);
      expect(await places()).toEqual(alone);
    }
    await showCalls(live(now, { door: 'confirmed' }));
    expect(await places()).toEqual(alone);
  });

  it('the form of a transfer and the tabs are hit with four calls up', async () => {
    const [page, now] = [at(), Date.now()];
    await showCalls(sos(now), live(now), held(now), second(now));
    await page.getByRole('button', { name: 'Transfer', exact: true }).click();
    await page.locator('.transfer input:focus').waitFor();
    await page.keyboard.type('1003');
    const { names, covered } = await page.evaluate(lookAtControls, '.transfer input, .call-live .call-foot button, .phone-tabs button');
    expect(covered).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['End', 'Hold', 'Keypad', 'Contacts', 'Recents', 'Doors']));
    await page.keyboard.press('Escape');
  });

  it('a part of the panel that is opened in a call has room, and the focus in its field', async () => {
    const [page, now] = [at(), Date.now()];
    await showCalls(live(now), held(now));
    await page.getByRole('tab', { name: 'Contacts', exact: true }).click();
    await page.getByPlaceholder('Name, number or group').and(page.locator(':focus')).waitFor();
    const { covered } = await page.evaluate(lookAtControls, '.part-search, .call-live .call-foot button, .phone-tabs button');
    expect(covered).toEqual([]);
    await page.keyboard.press('Alt+KeyT');
    await page.locator('.transfer input:focus').waitFor();
    expect(await page.getByPlaceholder('Name, number or group').count()).toBe(0);
  });

  it('a narrow window begins with the phone closed, whatever was left open', async () => {
    const page = at();
    await show(mirrorOf());
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.locator('.phone-button').waitFor();
    expect(await page.locator('.phone-button').getAttribute('aria-expanded')).toBe('false');
    expect(await page.locator('.phone-panel').count()).toBe(0);
    // A call that goes on is in sight all the same, with what ends it at hand.
    await showCalls(live(Date.now()));
    await page.locator('.call-bar').getByRole('button', { name: 'End' }).waitFor();
    const { covered } = await page.evaluate(lookAtControls, '.call-bar button, .desk-calls-open');
    expect(covered).toEqual([]);
    await page.getByRole('button', { name: 'Open phone' }).click();
    await page.locator('.phone-panel').waitFor();
  });
});
