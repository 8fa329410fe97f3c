import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { frameOf, readServerFrame, topics } from '#models/realtime.ts';
import { isFull } from '#tests/support/extent.ts';
import { inTime } from '#tests/support/in-time.ts';
import { tapChannel, watchChannel } from './support/channel.ts';
import { atWork, type Person, signedIn, sitDown } from './support/person.ts';
import { change, make, named } from './support/records.ts';
import { api, freePort, type RunningServer, startServer, tokenOf } from './support/server.ts';
import { setStage } from './support/stage.ts';

// Open pages may speak to the SIP server they were told of, no other: it is there again after a restart.
const sipPort = String(await freePort());
const stage = setStage({ DOORWARD_SIP_PORT: sipPort });
const lost = 'Live updates are off';

const row = ({ page }: Person, name: string) => page.locator('tbody tr', { hasText: name });
/** How long until something is on the screen, in ms. */
async function until(arrival: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await arrival;
  return performance.now() - begun;
}
async function atMarkers(login = 'admin'): Promise<Person> {
  const person = await atWork(stage, login, { at: '/markers' });
  await person.page.locator('tbody tr').first().waitFor();
  return person;
}
/** A page whose server goes away logs that; nothing else may go wrong. */
const closeAfterOutage = async ({ context, errors }: Person): Promise<void> => {
  await context.close();
  expect(errors.filter((error) => !/WebSocket|ERR_CONNECTION|ERR_EMPTY|net::/.test(error))).toEqual([]);
};

describe('two people at their consoles', () => {
  it('see what the other adds, changes and deletes within moments, and lose nothing of their own', async () => {
    const [anna, boris] = [await atMarkers(), await atMarkers()];
    await anna.page
      .getByRole('checkbox', { name: /Select/ })
      .nth(1)
      .check();
    const selected = anna.page.locator('tr[aria-selected="true"]');
    // Without the moment at its end, which moves on.
    const nameOf = async () => (await selected.textContent())?.split('#')[0];
    const before = await nameOf();

    await boris.press('Add marker');
    await boris.fill('Name', 'Live one');
    await boris.press('Approve');
    await boris.showsNotice('Done');
    expect(await until(row(anna, 'Live one').waitFor())).toBeLessThan(inTime(5_000));
    expect(await row(anna, 'Live one').getAttribute('data-changed')).toBe('true');
    expect(await nameOf()).toBe(before);

    const [marker] = await named(stage, 'markers', 'Live one');
    await change(stage, 'markers', marker?.id ?? '', { name: 'Live two' });
    const times = await Promise.all([until(row(anna, 'Live two').waitFor()), until(row(boris, 'Live two').waitFor())]);
    expect(Math.max(...times)).toBeLessThan(inTime(5_000));
    await api(stage.server, 'DELETE', `/markers/${marker?.id}`, { token: stage.token });
    await row(anna, 'Live two').waitFor({ state: 'detached' });
    await anna.close();
    await boris.close();
  });

  it('leave rows alone while a row’s menu is open', async () => {
    const anna = await atMarkers();
    await anna.page.locator('tbody tr').first().getByRole('button').last().click();
    await anna.page.getByRole('menu').waitFor();
    await make(stage, 'markers', { name: 'AAA patient', color: '#112233' });
    await pause(2_500);
    expect(await row(anna, 'AAA patient').count()).toBe(0);
    await anna.page.mouse.click(600, 800);
    await row(anna, 'AAA patient').waitFor();
    await anna.close();
  });

  it('are told when the other changes the record they have open, and may load it without losing what they typed', async () => {
    const id = await make(stage, 'markers', { name: 'Shared', color: '#112233' });
    const anna = await atWork(stage, 'admin', { at: `/markers/${id}/edit` });
    await anna.fill('Name', 'Mine');
    await change(stage, 'markers', id, { color: '#445566' });
    await anna.sees('This record was just changed by someone else. Your edits are kept.');
    await anna.press('Load latest version');
    expect(await anna.field('Name').inputValue()).toBe('Mine');
    await anna.press('Save');
    await anna.showsNotice('Done');
    const [stored] = await named<{ id: string; name: string; version: number; color: string }>(stage, 'markers', 'Mine');
    expect(stored?.color).toBe('#445566');
    await anna.close();
  });
});

describe('a role that changes (S17)', () => {
  it('changes the console at once, and drops nothing that was typed', async () => {
    const [role] = await named<{ id: string; name: string; version: number; permissions: string[] }>(stage, 'roles', 'Property manager');
    const manager = await signedIn(stage, 'manager');
    const nav = manager.page.getByRole('navigation');
    await manager.page.goto('/markers/add');
    await manager.fill('Name', 'Half typed');
    expect(await nav.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await change(stage, 'roles', role?.id ?? '', { permissions: [...(role?.permissions ?? []), 'can_view_audit_events'] });
    expect(await until(nav.getByRole('link', { name: 'Audit log' }).waitFor())).toBeLessThan(inTime(5_000));
    expect(await manager.field('Name').inputValue()).toBe('Half typed');
    await change(stage, 'roles', role?.id ?? '', { permissions: role?.permissions ?? [] });
    await manager.context.close();
  });
});

describe('tabs (S9, R16)', () => {
  it('each hear for themselves, and signing out in one closes the channel of all', async () => {
    const person = await signedIn(stage, 'admin', { remember: true });
    const tabs = [person.page];
    for (let count = 1; count < 5; count++) tabs.push(await person.context.newPage());
    const channels = tabs.map(watchChannel);
    for (const tab of tabs) {
      await tab.goto('/markers');
      await tab.locator('tbody tr').first().waitFor();
    }
    await make(stage, 'markers', { name: 'For five', color: '#112233' });
    await Promise.all(tabs.map((tab) => tab.locator('tbody tr', { hasText: 'For five' }).waitFor()));
    for (const { sockets } of channels) expect(sockets.filter(({ open }) => open)).toHaveLength(1);
    await person.page.locator('.person-button').click();
    await person.press('Sign out');
    await Promise.all(tabs.map((tab) => tab.waitForURL(/\/login/)));
    await expect.poll(() => channels.flatMap(({ sockets }) => sockets.filter(({ open }) => open)).length, { timeout: inTime(3_000) }).toBe(0);
    await person.context.close();
  });
});

describe('a server that talks nonsense or too much', () => {
  it.runIf(isFull)('does not disturb the page (R9)', async () => {
    const person = await sitDown(stage, { storageState: await stage.remembered('admin') });
    const { sendFrame } = await tapChannel(person.page);
    await person.page.goto('/markers');
    await person.page.locator('tbody tr').first().waitFor();
    const hostile = [
      '',
      '{',
      'null',
      '[]',
      '{"topic":1}',
      '{"topic":"areas.markers","data":"{}"}',
      '{"topic":"__proto__","data":"\\"x\\""}',
      'x'.repeat(200_000),
    ];
    for (let round = 0; round < 500; round++) for (const frame of hostile) sendFrame(frame);
    sendFrame(frameOf('areas.markers', 'RowsChanged', { area: 'markers', ids: [] }));
    await make(stage, 'markers', { name: 'Still here', color: '#112233' });
    await row(person, 'Still here').waitFor();
    await person.close();
  });
});

/** A console as a script: it speaks the protocol, tries again, and remembers what it heard. */
class ScriptedConsole {
  readonly url: string;
  readonly token: string;
  readonly wanted: readonly string[];
  readonly heard: string[] = [];
  asked = 0;
  acknowledged = 0;
  connectedAt = 0;
  #ws: WebSocket | undefined;
  #stopped = false;
  constructor(url: string, token: string, wanted: readonly string[]) {
    this.url = url;
    this.token = token;
    this.wanted = wanted;
    this.#connect();
  }
  get isOpen(): boolean {
    return this.#ws?.readyState === WebSocket.OPEN;
  }
  stop(): void {
    this.#stopped = true;
    this.#ws?.terminate();
  }
  #connect(): void {
    if (this.#stopped) return;
    const ws = new WebSocket(`${this.url.replace('http', 'ws')}/api/v0/ws?access_token=${this.token}`);
    this.#ws = ws;
    this.asked = 0;
    this.acknowledged = 0;
    ws.on('open', () => {
      this.connectedAt = performance.now();
      for (const topic of this.wanted) {
        this.asked += 1;
        ws.send(JSON.stringify({ command: 'subscribe', topic }));
      }
    });
    ws.on('message', (data: Buffer) => {
      const word = readServerFrame(data.toString());
      if (word?.name === 'Subscribed') this.acknowledged += 1;
      if (word?.name === 'RowsChanged') this.heard.push(...word.payload.ids);
    });
    ws.on('error', () => undefined);
    ws.on('close', () => setTimeout(() => this.#connect(), 4_000 * (0.8 + 0.4 * Math.random())));
  }
}

/** Stops the stage's server, lets it be away for so long, and starts it again on the same address. */
async function restart(server: RunningServer, away: number): Promise<RunningServer> {
  expect(await server.stop()).toBe(0);
  await pause(away);
  const env = { DOORWARD_SIGN_IN_TRIES: '500', DOORWARD_SIGN_IN_TRIES_PER_IP: '500', DOORWARD_SIP_PORT: sipPort };
  return startServer({ env, data: server.data, port: Number(new URL(server.url).port) });
}

it('a page whose server goes while parts of it are still to come stands without them, and offers to reload once that helps', async () => {
  const { page, close } = await sitDown(stage, { storageState: await stage.remembered('admin') });
  // Of the two, the part itself stays away: whether a browser asks again for what it once could not have is its own matter.
  const away = new Set(['**/assets/phone-button-*', '**/healthz']);
  let refused = 0;
  for (const address of away)
    await page.route(address, (route) => {
      if (!away.has(address)) return route.continue();
      refused += 1;
      return route.abort('connectionrefused');
    });
  await page.goto('/markers');
  await page.locator('tbody tr').first().waitFor();
  await expect.poll(() => refused).toBeGreaterThan(3);
  const reload = page.locator('.part-missing').getByRole('button', { name: 'Reload' });
  expect(await reload.count()).toBe(0);
  away.delete('**/healthz');
  await reload.waitFor();
  await page.locator('tbody tr').first().waitFor();
  away.clear();
  await reload.click();
  await page.locator('.phone-slot button').waitFor();
  expect(await reload.count()).toBe(0);
  await close();
});

describe('a server that restarts (R1)', () => {
  it.runIf(isFull)('finds 20 open consoles again: all connected soon, no topic asked for again in haste, nothing missed', async () => {
    const people = [await atMarkers(), await atMarkers()];
    const channels: ReturnType<typeof watchChannel>[] = [];
    for (const { page } of people) {
      channels.push(watchChannel(page));
      await page.reload();
      await page.locator('tbody tr').first().waitFor();
    }
    const wanted = [topics.area('markers'), topics.area('users'), topics.appChanges];
    const scripts = Array.from({ length: 18 }, () => new ScriptedConsole(stage.server.url, stage.token, wanted));
    await expect.poll(() => scripts.filter(({ acknowledged }) => acknowledged === 3).length).toBe(18);

    expect(await stage.server.stop()).toBe(0);
    await Promise.all(people.map(({ sees }) => sees(lost)));
    for (const { page } of people) await page.getByText(/^as of \d\d:\d\d$/).waitFor();
    await pause(2_000);
    const again = await restart(stage.server, 0);
    onTestFinished(async () => void (await again.stop()));
    const listening = performance.now();
    // Before anybody is back: what happens now is told to nobody.
    await make({ server: again, token: stage.token }, 'markers', { name: 'While away', color: '#112233' });
    await expect.poll(() => scripts.filter(({ acknowledged }) => acknowledged === 3).length, { interval: 20 }).toBe(18);
    expect(performance.now() - listening).toBeLessThan(inTime(20_000));
    await Promise.all(people.map((person) => row(person, 'While away').waitFor()));
    for (const { page } of people) await page.getByText(lost).waitFor({ state: 'detached' });
    const id = await make({ server: again, token: stage.token }, 'markers', { name: 'Back', color: '#112233' });
    await Promise.all(people.map((person) => row(person, 'Back').waitFor()));
    await expect.poll(() => scripts.filter(({ heard }) => heard.filter((one) => one === id).length === 1).length).toBe(18);
    for (const { asked, askedInHaste, sockets } of channels) {
      expect(askedInHaste()).toEqual([]);
      expect(asked()).toContain(topics.area('markers'));
      expect(sockets.filter(({ open }) => open)).toHaveLength(1);
    }
    for (const script of scripts) script.stop();
    for (const person of people) await closeAfterOutage(person);
  });
});

describe('a server that falls silent (R3)', () => {
  it.runIf(isFull)('is noticed within 20 seconds, said 5 seconds later, and found again', async () => {
    const server = await startServer({ copy: inject('seeded') });
    const person = await sitDown(stage, { url: server.url });
    await person.signIn('admin');
    await person.page.waitForURL('**/home');
    await person.page.goto(`${server.url}/markers`);
    await person.page.locator('tbody tr').first().waitFor();
    await pause(1_000);
    server.process.kill('SIGSTOP');
    const shownAfter = await until(person.page.getByText(lost).waitFor());
    expect(shownAfter).toBeLessThan(inTime(20_000 + 5_000 + 1_500));
    server.process.kill('SIGCONT');
    expect(await until(person.page.getByText(lost).waitFor({ state: 'detached' }))).toBeLessThan(inTime(16_000));
    await make({ server, token: await tokenOf(server, 'admin') }, 'markers', { name: 'Awake', color: '#112233' });
    await row(person, 'Awake').waitFor();
    await closeAfterOutage(person);
    await server.discard();
  });
});
