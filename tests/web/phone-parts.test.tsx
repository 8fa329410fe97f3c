import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { mirrorOf, pastCall, talk } from '#tests/support/phone-mirrors.ts';
import { dials, openStage, phoneButton } from './support/phone-stage.tsx';
import { fill } from './support/user.ts';

afterEach(() => void vi.useRealTimers());
/** The part that is unfolded. */
const part = () => within(screen.getByRole('tabpanel'));
/** How much it says there is. */
const count = (): string => part().getAllByRole('status')[0]?.textContent ?? '';
/** Each line's words, without its picture and its buttons. */
const lines = (): string[] =>
  part()
    .queryAllByRole('listitem')
    .map((line) => line.children[1]?.textContent.trim() ?? '');
const heads = (): string[] =>
  part()
    .queryAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent);
const disabled = (name: string): boolean => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

describe('the contacts', () => {
  const contact = (name: string, more: object = {}) => ({
    name,
    number: '1042',
    title: null,
    user: null,
    group: null,
    isReachable: null,
    isDesk: false,
    ...more,
  });
  const contacts = [
    contact('boris'),
    contact('Anna', { number: '1001', isReachable: true }),
    contact('Ёлкина', { number: '7' }),
    contact('2nd gate', { number: '2001' }),
    contact('x', { number: '9', user: { id: uuid(1), name: 'Berta', description: 'Night porter' } }),
  ];
  /** Whom the lines can call, in their order. */
  const callable = () =>
    part()
      .queryAllByRole('button', { name: /^Call / })
      .map((call) => call.getAttribute('aria-label')?.slice(5));
  it('stand below their first letters, counted, what begins with none last', async () => {
    const { turnTo } = await openStage({ estate: { contacts } });
    await turnTo('Contacts');
    expect(heads()).toEqual(['A', 'B', 'Ё', '#']);
    expect(callable()).toEqual(['Anna', 'Berta', 'boris', 'Ёлкина', '2nd gate']);
    expect(count()).toBe('5 contacts');
  });
  it('are found by name, number and description whatever the case, and called', async () => {
    const { commands, press, turnTo, user } = await openStage({ estate: { contacts } });
    await turnTo('Contacts');
    const search = part().getByRole('searchbox', { name: 'Name, number or group' });
    await fill(user, search, 'PORTER');
    expect(callable()).toEqual(['Berta']);
    expect(count()).toBe('1 of 5 contacts');
    await press('Video call to Berta');
    expect(dials(commands)).toMatchObject([{ number: '9', video: true }]);
    await fill(user, search, '1001');
    expect(disabled('Call Anna')).toBe(true);
    await fill(user, search, 'nobody at all');
    expect(part().getByText('No contacts found.')).toBeTruthy();
    expect(callable()).toEqual([]);
  });
});

it('contacts that cannot be read anew stay, with the reason above them (CALL-27)', async () => {
  const known = { name: 'Anna', number: '1001', title: null, user: null, group: null, isReachable: null, isDesk: false };
  let answer = (): Promise<readonly (typeof known)[]> => Promise.resolve([known]);
  const { press, turnTo } = await openStage({ estate: { readContacts: () => answer() } });
  await turnTo('Contacts');
  answer = () => Promise.reject(new Error('the server is gone'));
  await press('Refresh');
  expect((await part().findByRole('alert')).textContent).toMatch(/^Internal server error/);
  expect(part().getAllByRole('listitem')).toHaveLength(1);
  answer = () => Promise.resolve([known]);
  await press('Refresh');
  await waitFor(() => expect(part().queryByRole('alert')).toBeNull());
});

describe('the recent calls', () => {
  const calls = [
    pastCall(1),
    pastCall(2, { from: { number: '2002', name: null }, status: 'noanswer', duration: 0 }),
    pastCall(3, { from: { number: '2003', name: 'Lift' }, answeredBy: { number: '1002', name: 'Irina' }, status: 'noanswer' }),
    pastCall(30, { direction: 'outgoing', from: { number: '1001', name: null }, to: { number: '1042', name: 'Boris' }, status: 'busy', duration: 0 }),
    pastCall(100),
  ];
  it('stand by day in the person’s zone, each with what became of it', async () => {
    const { turnTo } = await openStage({ estate: { recents: { calls, total: 5 } } });
    await turnTo('Recents');
    expect(heads()).toEqual(['Today', 'Yesterday', '17-11-2026']);
    expect(lines()).toEqual([
      'Main gate10:302001 · Answered · 01:03',
      '200209:30Missed',
      'Lift08:302003 · Answered by Irina · 01:03',
      'Boris05:301042 · Busy',
      'Main gate07:302001 · Answered · 01:03',
    ]);
    expect(part().getAllByRole('time')[0]?.textContent).toBe('10:30');
  });
  it('keeps the missed as a list to work off: without those a colleague took', async () => {
    const { commands, press, turnTo } = await openStage({ estate: { recents: { calls, total: 5 } } });
    await turnTo('Recents');
    await press('Missed 1');
    expect(lines()).toEqual(['200209:30Missed']);
    await press('Call 2002');
    expect(dials(commands)).toMatchObject([{ number: '2002' }]);
  });
  it('lead to a message to the apartment they came from, where that is known', async () => {
    const withHome = [
      pastCall(2, { from: { number: '1042', name: 'Boris' }, status: 'noanswer', home: { id: uuid(60), name: 'B 22' } }),
      pastCall(3),
    ];
    const { turnTo } = await openStage({ estate: { recents: { calls: withHome, total: 2 } } });
    await turnTo('Recents');
    const links = part().getAllByRole<HTMLAnchorElement>('link');
    expect(links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])).toEqual([
      ['Message group “B 22”', `/conversations?new=home&group=${uuid(60)}`],
    ]);
  });
  it('reads earlier ones when told to', async () => {
    const { turnTo } = await openStage({ estate: { recents: { calls, total: 120 } } });
    await turnTo('Recents');
    expect(count()).toBe('120 calls');
    expect(part().getByRole('button', { name: 'Show earlier calls' })).toBeTruthy();
  });
});

it('the picture of a call is kept with it, and the button says so', async () => {
  const { asked, press } = await openStage({ mirror: mirrorOf({ calls: [talk({ video: true })] }), answers: { saveCallPicture: () => null } });
  await press('Save picture');
  expect(asked).toEqual([{ call: 'saveCallPicture', params: { speechId: uuid(100) } }]);
  expect(await screen.findByText('Picture saved')).toBeTruthy();
});

describe('the doors', () => {
  const common = { path: ['Riverside', 'Tower A'], isOnline: true, hasCamera: false };
  const doors = [
    { ...common, id: uuid(41), token: 'a'.repeat(24), name: 'Main gate', number: '2001' },
    { ...common, id: uuid(42), token: 'b'.repeat(24), name: 'Parking', number: null, path: ['Riverside', 'Tower B'], isOnline: false },
  ];
  const line = (name: string): HTMLElement => {
    const found = part()
      .getAllByRole('listitem')
      .find((item) => within(item).queryByText(name));
    if (!found) throw new Error(`no door ${name}`);
    return found;
  };
  const names = (): string[] =>
    part()
      .getAllByRole('button', { name: /^Open door: / })
      .map((button) => (button.getAttribute('aria-label') ?? '').slice('Open door: '.length));
  /** How the attempt to open stands, in its colour and in words. */
  const outcome = (name: string) => {
    const said = within(line(name)).queryByRole('status');
    return said && [said.dataset['state'], said.textContent.trim()];
  };
  const hold = async (user: UserEvent, name: string, time = 800): Promise<void> => {
    const target = part().getByRole('button', { name: `Open door: ${name}` });
    await user.pointer({ keys: '[MouseLeft>]', target });
    await act(async () => void (await vi.advanceTimersByTimeAsync(time)));
    await user.pointer({ keys: '[/MouseLeft]', target });
  };
  it('open in their line only when held, and are confirmed only by the device', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    let answer: (said: { outcome: 'confirmed' | 'unconfirmed' }) => void = () => {};
    const { turnTo, user } = await openStage({ estate: { doors, openDoor: () => new Promise((resolve) => (answer = resolve)) } });
    await turnTo('Doors');
    await hold(user, 'Main gate', 500);
    expect(outcome('Main gate')).toBeNull();
    await hold(user, 'Main gate');
    expect([outcome('Main gate')?.[0], outcome('Parking')]).toEqual(['sent', null]);
    expect(part().getByRole('button', { name: 'Open door: Parking' })).toHaveProperty('disabled', true);
    await act(async () => answer({ outcome: 'confirmed' }));
    expect(outcome('Main gate')).toEqual(['confirmed', 'Opened, confirmed by the device']);
    await hold(user, 'Parking');
    expect([outcome('Main gate'), outcome('Parking')?.[0]]).toEqual([null, 'sent']);
  });
  it('say why a door stayed shut', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { turnTo, user } = await openStage({ estate: { doors, openDoor: () => Promise.reject({ code: 'device_offline' }) } });
    await turnTo('Doors');
    await hold(user, 'Main gate');
    expect(outcome('Main gate')).toEqual(['refused', expect.stringMatching(/device/i)]);
  });
  it('are found by name, number and place, and say where they are and whether they hear', async () => {
    const { turnTo, user } = await openStage({ estate: { doors } });
    await turnTo('Doors');
    const search = part().getByRole('searchbox', { name: 'Find a door or place' });
    expect(names()).toEqual(['Main gate', 'Parking']);
    expect(line('Parking').textContent).toContain('Riverside · Tower BOffline');
    for (const [typed, found] of [
      ['tower b', ['Parking']],
      ['2001', ['Main gate']],
      ['gate tower', ['Main gate']],
    ] as const) {
      await user.clear(search);
      await user.type(search, typed);
      expect(names()).toEqual(found);
    }
    await user.type(search, 'nowhere');
    expect(part().getByText('No doors found.')).toBeTruthy();
  });
  it('say how they stood last while the server’s word is missing', async () => {
    const { turnTo, channel } = await openStage({ estate: { doors } });
    await turnTo('Doors');
    const words = () => ['Main gate', 'Parking'].map((name) => /(?:Was o|O)(?:n|ff)line/.exec(line(name).textContent)?.[0]);
    expect(words()).toEqual(['Online', 'Offline']);
    await channel('channel.lost');
    expect(words()).toEqual(['Was online', 'Was offline']);
    await channel('channel.back');
    expect(words()).toEqual(['Online', 'Offline']);
  });
  it('that are marked come first, which is kept for this person', async () => {
    const { turnTo, press, phoneDesk } = await openStage({ estate: { doors } });
    await turnTo('Doors');
    await press('Add Parking to favourites');
    expect(names()).toEqual(['Parking', 'Main gate']);
    expect(Object.values(phoneDesk.get().favourites ?? {})).toEqual([[uuid(42)]]);
    await press('Remove Parking from favourites');
    expect(names()).toEqual(['Main gate', 'Parking']);
  });
});

const tabs = (): string[] => screen.getAllByRole('tab').map(({ textContent }) => textContent);
it('doors are not there for those who may not open any', async () => {
  await openStage({ estate: { mayOpen: false } });
  expect(tabs()).toEqual(['Keypad', 'Contacts', 'Recents', 'Intercept']);
});

describe('interception', () => {
  const [north, south] = [
    { id: uuid(31), name: 'North', path: ['Town', 'North'] },
    { id: uuid(32), name: 'South', path: ['South'] },
  ];
  it('is not there without its permission', async () => {
    await openStage({ estate: { mayIntercept: false } });
    expect(tabs()).toEqual(['Keypad', 'Contacts', 'Recents', 'Doors']);
  });
  it('locks its groups while it is on', async () => {
    const { turnTo, press } = await openStage({ estate: { interception: { isActive: false, groups: [north], userGroups: [south] } } });
    await turnTo('Intercept');
    const groups = (): HTMLFieldSetElement => part().getByRole('group', { name: 'Groups to intercept' });
    const boxes = within(groups()).getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['SouthYours', 'NorthTown']);
    expect(groups().disabled).toBe(false);
    await press('Start intercepting');
    expect([groups().disabled, part().queryByRole('searchbox')]).toEqual([true, null]);
    expect(part().getByText('Interception on')).toBeTruthy();
    await press('Stop intercepting');
    expect(groups().disabled).toBe(false);
  });
});

describe('what a call was about', () => {
  const note = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'What was this call about?' });
  it('is written down when the hand rests, and again only where it changed', async () => {
    const stage = { mirror: mirrorOf({ calls: [talk()] }), answers: { callNote: () => ({ note: null }) } };
    const { asked, show, press, user } = await openStage(stage);
    vi.useFakeTimers();
    await press('Note');
    expect(asked.splice(0)).toEqual([{ call: 'callNote', params: { speechId: uuid(100) } }]);
    await fill(user, note(), 'A parcel for flat 15');
    // What is told of the call meanwhile, once a second, does not keep it from being written down.
    for (let second = 1; second <= 2; second += 1) {
      await show(mirrorOf({ calls: [talk({ quality: { roundTrip: second, loss: 0, jitter: 1 } })] }));
      await act(async () => vi.advanceTimersByTime(1_000));
    }
    await act(async () => vi.advanceTimersByTime(5_000));
    expect(asked).toEqual([{ call: 'noteCall', params: { speechId: uuid(100) }, body: { note: 'A parcel for flat 15' } }]);
    expect(screen.getByText('Saved').getAttribute('role')).toBe('status');
    // Folded and unfolded, it is still there.
    await press('Keypad');
    await press('Note');
    expect(note().value).toBe('A parcel for flat 15');
  });
  it('goes on where it was left by whoever had the call before; what cannot be read is not written over', async () => {
    let written: string | null = null;
    const callNote = (): unknown => (written === null ? Promise.reject(new Error('no')) : { note: written });
    const { asked, press } = await openStage({ mirror: mirrorOf({ calls: [talk()] }), answers: { callNote } });
    expect(asked).toEqual([]);
    await press('Note');
    await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByRole('textbox', { name: 'What was this call about?' })).toBeNull();
    written = 'Waits for a locksmith';
    await press('Try again');
    await waitFor(() => expect(note().value).toBe('Waits for a locksmith'));
    expect(asked.map(({ call }) => call)).toEqual(['callNote', 'callNote']);
  });
  it('and why the door is opened goes with the opening', async () => {
    const { asked, commands, press, user } = await openStage({ mirror: mirrorOf({ calls: [talk()] }) });
    await press('Open door');
    expect([commands.map(({ type: name }) => name), asked]).toEqual([['call.openDoor'], []]);
    const reason = screen.getByRole<HTMLInputElement>('textbox', { name: 'Reason (logged)' });
    await fill(user, reason, 'A parcel');
    await press('Open door');
    expect(asked).toEqual([{ call: 'explainOpening', params: { speechId: uuid(100) }, body: { reason: 'A parcel' } }]);
    expect(reason.value).toBe('');
  });
});

describe('settings', () => {
  const section = (name: string) => within(screen.getByRole('region', { name }));
  it('show what the check found and keep it on the button', async () => {
    const checks = [
      { check: 'secure', outcome: 'passed', detail: null },
      { check: 'clock', outcome: 'passed', detail: { value: 2, unit: 's' } },
      { check: 'microphone', outcome: 'failed', detail: null },
    ] as const;
    const { press } = await openStage({ estate: { checks } });
    await press('Phone settings');
    await press('Check now');
    const found = await section('Pre-shift check').findAllByRole('listitem');
    expect(found.map((line) => [within(line).getByRole('img').getAttribute('aria-label'), line.dataset['outcome'], line.textContent])).toEqual([
      ['OK', 'passed', 'Secure page'],
      ['OK', 'passed', 'Clock2 s'],
      ['Fault', 'failed', expect.stringMatching(/^MicrophoneAllow the microphone/)],
    ]);
    expect(phoneButton().getAttribute('aria-label')).toContain('The last check found a fault');
  });
  it('say how loud each kind is, and let it be heard', async () => {
    const { commands, volumes, press } = await openStage();
    await press('Phone settings');
    const sliders = section('Volume').getAllByRole<HTMLInputElement>('slider');
    expect(sliders.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['SOS calls', 'Calls', 'Call waiting', 'Notifications']);
    const [sos, call] = sliders;
    if (!sos || !call) throw new Error('no sliders');
    expect([sos.min, call.min, call.getAttribute('aria-valuetext')]).toEqual(['0.3', '0', '80 %']);
    // The library's user moves no sliders.
    fireEvent.change(call, { target: { value: '0.4' } });
    expect(volumes.get()).toEqual({ sos: 1, call: 0.4, waiting: 0.6, notice: 1 });
    await press('Play: SOS calls');
    expect(commands).toEqual([{ type: 'ringer.test', tone: 'sos' }]);
  });
  it('change a key by pressing another, free the one that had it, and switch one off', async () => {
    const { phoneDesk, press, user } = await openStage();
    await press('Phone settings');
    await press(/^Answer call: /);
    await user.keyboard('{Alt>}m{/Alt}');
    expect(phoneDesk.get().keys).toMatchObject({ answer: 'Alt+KeyM', mute: null });
    await user.click(screen.getByRole('checkbox', { name: 'Answer call' }));
    expect(phoneDesk.get().keys).toMatchObject({ answer: null });
  });
});

describe('in Russian', () => {
  it('counts as the language does', async () => {
    const contacts = Array.from({ length: 3 }, (_, at) => ({
      name: `Жилец ${at}`,
      number: `10${at}`,
      title: null,
      user: null,
      group: null,
      isReachable: null,
      isDesk: false,
    }));
    const { turnTo } = await openStage({ locale: 'ru', estate: { contacts }, mirror: mirrorOf() });
    await turnTo('Контакты');
    expect(count()).toBe('3 контакта');
  });
});
