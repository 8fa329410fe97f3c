import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { mirrorOf, pastCall, talk } from '#tests/support/phone-mirrors.ts';
import { dials, openStage, part, tabs } from './support/phone-stage.tsx';
import { fill } from './support/user.ts';

afterEach(() => void vi.useRealTimers());
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
