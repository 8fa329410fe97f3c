import type { Page } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { longestWait } from '#tests/support/in-time.ts';
import { callStory, queueStory } from '#tests/support/stories/call.ts';
import { type Driver, runStory } from '#tests/support/story.ts';
import { openWindow } from './support/browser.ts';
import { type Desk, fakeMedia, giveSenses, leftNothing, openPhone } from './support/desk.ts';
import { type Gate, setGate } from './support/gate.ts';
import { type Panel, panelAt } from './support/panel.ts';
import { api, tokenOf } from './support/server.ts';
import { setSipGate, type SipGate } from './support/sip-gate.ts';
import { setStage } from './support/stage.ts';
import { atRest, signsOn } from './support/story-page.ts';

const stage = setStage({}, fakeMedia);
const opened: Desk[] = [];
afterAll(async () => {
  for (const { context } of opened) await context.close();
});

/** Somebody on duty at a window of their own; `before` is done with its page before anything is on it. */
async function sit(login: string, before: (page: Page) => Promise<unknown> = async () => {}): Promise<Desk> {
  const { page, context, errors } = await openWindow(stage.browser, stage.server.url, { storageState: await stage.remembered(login) });
  await giveSenses(context, 700);
  await before(page);
  await page.goto('/home');
  await openPhone(page);
  const desk = { page, context, errors, pitch: 700 };
  opened.push(desk);
  return desk;
}

/** The desk the story is told at, one for all its paths: each ends in quiet. */
interface Scene extends Desk {
  panel: Panel;
  sip: SipGate;
  /** Ending a call for everybody. */
  stop: Gate;
  /** The list of calls that wait. */
  list: Gate;
}
/** Made once, and again only where it could not be made. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    const now = (made ??= make());
    now.catch(() => (made = undefined));
    return now;
  };
}
const scene = once(setScene);
async function setScene(): Promise<Scene> {
  const gates: Partial<Pick<Scene, 'sip' | 'stop' | 'list'>> = {};
  const desk = await sit('concierge', async (page) => {
    await page.clock.install();
    gates.sip = await setSipGate(page);
    gates.stop = await setGate(page, (path) => path.endsWith('/stop'));
    gates.list = await setGate(page, (path) => path === '/calls/waiting');
  });
  const { sip, stop, list } = gates;
  if (!sip || !stop || !list) throw new Error('there are no gates');
  return { ...desk, panel: await panelAt(stage, 'Tower A lobby'), sip, stop, list };
}

const calls = '.desk-calls .calls';
const lasts = 5_000;
/** Whatever was left of the path before is ended, and nothing of it lives on. */
async function quietScene(): Promise<Scene> {
  const now = await scene();
  const { page, panel, sip, stop, list } = now;
  await Promise.all([stop.open(), list.open()]);
  sip.open();
  await panel.hangUp();
  const until = performance.now() + longestWait;
  while ((await page.locator(`${calls} .call`).count()) > 0 && performance.now() < until) {
    await page.clock.fastForward(lasts);
    await page.waitForTimeout(25);
  }
  await leftNothing(now);
  await page.locator('.phone-button[data-tone="good"][data-ringing="false"]').waitFor();
  return now;
}

/** How the call stands, in the words on its card. */
async function standing(page: Page): Promise<string> {
  const { over, shown, ending } = await signsOn(page, {
    over: `${calls} .call[data-status="destroyed"]`,
    shown: `${calls} .call-standing`,
    ending: `${calls} .call-ending`,
  });
  if (ending !== undefined) return 'ending';
  if (over !== undefined) return 'over';
  return shown ?? 'gone';
}
const inWords =
  (page: Page, states: Record<string, string>) =>
  async (expected: string): Promise<string> =>
    atRest(page, async () => standing(page).then((seen) => states[seen] ?? seen), expected);

/** What both stories do at a desk. */
function hands({ page, sip, panel }: Scene) {
  const button = (name: string | RegExp) => page.locator(calls).getByRole('button', { name, exact: true }).first();
  const sees = (text: string | RegExp) => page.locator(calls).getByText(text).first().waitFor();
  return {
    sees,
    press: (name: string | RegExp) => () => button(name).click(),
    offers: (name: string, label: string | RegExp, ...words: string[]) => ({
      name,
      words,
      isThere: async () => (await button(label).isVisible()) && button(label).isEnabled(),
    }),
    later: (ms: number) => () => page.clock.fastForward(ms),
    /** Sound breaks for good: the browser says so, and nothing mends it in time. */
    losesSound: async () => {
      await page.evaluate(`
        Object.defineProperty(lines.at(-1), 'connectionState', { configurable: true, get: () => 'failed' });
        lines.at(-1).dispatchEvent(new Event('connectionstatechange'));
      `);
      await sees('Reconnecting…');
      await page.clock.fastForward(15_000);
      await page.evaluate('delete lines.at(-1).connectionState');
    },
    hangsUp: () => panel.hangUp(),
    passes: (kind: Parameters<SipGate['pass']>[0]) => () => sip.pass(kind),
  };
}

const second = once(() => sit('concierge'));
async function callDriver(coming: string[]): Promise<Driver> {
  const now = await quietScene();
  // Whoever comes on duty while it rings is not rung any more.
  const other = coming.includes('takenElsewhere') ? await second() : null;
  const { page, panel, sip } = now;
  const { sees, press, offers, later, losesSound, hangsUp, passes } = hands(now);
  // While one answers, nobody is heard yet: the same button takes the answer back.
  const end = /^(End|Cancel)$/;
  const notAgreed = async () => {
    await sip.refuse('reoffer', 488, 'Not Acceptable Here');
    await page.getByText('The call could not be put on hold.').first().waitFor();
  };
  sip.hold('answer', 'reoffer');
  await panel.call('1001');
  return {
    where: inWords(page, {
      Ringing: 'rings',
      'Ringing silently': 'ringsSilently',
      'Answering…': 'answering',
      Talking: 'talking',
      'Putting on hold…': 'holding',
      'On hold': 'onHold',
      'Resuming…': 'comingBack',
    }),
    words: {
      answer: press('Answer'),
      decline: async () => {
        await press('Decline')();
        await sees('Declined');
      },
      silence: press('Silence ringing'),
      callerGivesUp: async () => {
        await hangsUp();
        // The answer that was on its way meets the end of the call.
        if (sip.waiting('answer') > 0) await sip.pass('answer');
      },
      takenElsewhere: async () => {
        await other?.page.locator(calls).getByRole('button', { name: 'Answer', exact: true }).click();
        await sees('Answered elsewhere');
      },
      nobodyAnswers: later(180_000),
      nothingComes: async () => {
        const isAnswering = (await standing(page)) === 'Answering…';
        await page.clock.fastForward(isAnswering ? 35_000 : 10_000);
      },
      talkBegins: passes('answer'),
      hangUp: press(end),
      callerHangsUp: async () => {
        await hangsUp();
        await sees('The other party hung up');
      },
      mediaDies: async () => {
        await losesSound();
        await sees('Audio was lost and did not come back');
      },
      serverEndsIt: async () => {
        const token = await tokenOf(stage.server, 'concierge');
        expect((await api(stage.server, 'POST', `/calls/${sip.speechId()}/stop`, { token })).status).toBe(200);
      },
      hold: press('Hold'),
      resume: press('Resume'),
      isHeld: passes('reoffer'),
      isBack: passes('reoffer'),
      isNotAgreed: notAgreed,
      fiveSeconds: later(lasts),
      takeOffTheList: press('Remove from list'),
    },
    buttons: [
      offers('answer', 'Answer', 'answer'),
      offers('decline', 'Decline', 'decline'),
      offers('silence', 'Silence ringing', 'silence'),
      offers('hang up', end, 'hangUp'),
      offers('hold', 'Hold', 'hold'),
      offers('resume', 'Resume', 'resume'),
      offers('take off the list', 'Remove from list', 'takeOffTheList'),
    ],
  };
}

const colleague = once(() => sit('admin'));
async function queueDriver(): Promise<Driver> {
  const now = await quietScene();
  const { page, panel, sip, stop, list } = now;
  const { sees, press, offers, later, losesSound, hangsUp, passes } = hands(now);
  const other = await colleague();
  const take = /^(Take|Rejoin|Resume)$/;
  /** Where nobody talks with the caller yet, ending it for everyone is in the menu of its card. */
  const more = page.locator(calls).getByRole('button', { name: 'More', exact: true }).first();
  /** A colleague answers it, or takes it out of the queue. */
  const elsewhere = async () => {
    await other.page
      .locator(calls)
      .getByRole('button', { name: /^(Answer|Take|Resume)$/ })
      .first()
      .click();
    await other.page.locator(calls).getByText('Talking').waitFor();
  };
  const takenElsewhere = async () => {
    // The card says so for five seconds, which the colleague's console may take as well.
    await Promise.all([sees(/Answered by \S/), elsewhere()]);
  };
  const mend = async () => {
    sip.mend();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.locator('.phone-button[data-tone="good"]').waitFor();
  };
  let isCut = false;
  const mended =
    (work: () => Promise<unknown>): (() => Promise<void>) =>
    async () => {
      if (isCut) await mend();
      isCut = false;
      await work();
    };
  sip.hold('offer', 'answer', 'join');
  stop.hold();
  await panel.call();
  return {
    passing: ['pausing'],
    where: inWords(page, {
      'Waiting for an answer': 'waits',
      'Waiting in the queue': 'waits',
      Ringing: 'rings',
      'Answering…': 'answering',
      'Joining…': 'joining',
      Talking: 'talking',
      'On hold (music playing)': 'waitsAgain',
      'You were in this call': 'waitsForMe',
    }),
    words: {
      itRingsHere: passes('offer'),
      answer: press('Answer'),
      decline: press('Decline'),
      ringGoesOn: () => sip.endRing(),
      take: mended(press(take)),
      talkBegins: () => sip.pass('answer', 'join'),
      cancel: async () => {
        await press('Cancel')();
        // What was on its way comes to the server after all.
        for (const kind of ['answer', 'join'] as const) if (sip.waiting(kind) > 0) await sip.pass(kind);
      },
      colleagueTakesIt: mended(takenElsewhere),
      colleagueWasFirst: async () => {
        await Promise.all([sees(/Answered by \S/), elsewhere().then(() => sip.pass('answer', 'join'))]);
      },
      joinFails: async () => {
        await sip.refuse('join', 503, 'Service Unavailable');
        await page.getByText('Could not join the call.').first().waitFor();
      },
      nothingComes: later(35_000),
      visitorLeaves: hangsUp,
      pause: press('Hold'),
      isPaused: () => {},
      lineBreaks: async () => {
        isCut = true;
        sip.cut();
        await losesSound();
      },
      hangUp: press('End'),
      end: async () => {
        await more.click();
        await press('End for everyone')();
      },
      hasEnded: () => stop.decideThese('through'),
      endFails: async () => {
        list.hold();
        await stop.decideThese({ status: 500, code: 'internal', message: 'internal server error' });
      },
      fiveSeconds: later(lasts),
      takeOffTheList: press('Remove from list'),
    },
    buttons: [
      offers('answer', 'Answer', 'answer'),
      offers('decline', 'Decline', 'decline'),
      offers('take', take, 'take'),
      offers('pause', 'Hold', 'pause'),
      offers('end', /^(End|More)$/, 'end', 'hangUp'),
      offers('cancel', 'Cancel', 'cancel'),
      offers('take off the list', 'Remove from list', 'takeOffTheList'),
    ],
  };
}

describe('a call from a door to a person tells its story in the browser', () => {
  runStory(callStory, callDriver, { onward: true });
});
describe('a call in the queue tells its story in the browser', () => {
  // To the eye a call is paused as soon as one asks for it: nothing comes between. Connecting takes a second talk: phone-transfer tells it.
  const drivable = (words: readonly string[]): boolean => !/pause (?!isPaused)|\bconnect\b/.test(words.join(' '));
  runStory(queueStory, queueDriver, { drivable, brief: true });
});
