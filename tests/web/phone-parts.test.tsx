import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RecentCall } from '#machines/phone/ports.ts';
import { uuid } from '#tests/support/people.ts';
import { mirrorOf, stageNow, talk } from '#tests/support/phone-mirrors.ts';
import { all, button, choose, one, press, type } from './support/area-page.ts';
import { dials, keyDown, openStage } from './support/phone-stage.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let stage: Awaited<ReturnType<typeof openStage>> | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
  vi.useRealTimers();
});
const open = async (...options: Parameters<typeof openStage>) => (stage = await openStage(...options));

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
  it('stand below their first letters, counted, what begins with none last', async () => {
    await open({ estate: { contacts } });
    await press('Contacts');
    expect(all('.line-head').map(({ textContent }) => textContent)).toEqual(['A', 'B', 'Ё', '#']);
    expect(all('.line-name').map(({ textContent }) => textContent)).toEqual(['Anna', 'Berta', 'boris', 'Ёлкина', '2nd gate']);
    expect(one('.part-head [role="status"]').textContent).toBe('5 contacts');
  });
  it('are found by name, number and description whatever the case, and called', async () => {
    const { commands } = await open({ estate: { contacts } });
    await press('Contacts');
    await type('.part-search', 'PORTER');
    expect(all('.line-name').map(({ textContent }) => textContent)).toEqual(['Berta']);
    expect(one('.part-head [role="status"]').textContent).toBe('1 of 5 contacts');
    await press(one('[aria-label="Video call to Berta"]'));
    expect(dials(commands)).toMatchObject([{ number: '9', video: true }]);
    await type('.part-search', '1001');
    expect(one<HTMLButtonElement>('[aria-label="Call Anna"]').disabled).toBe(true);
    await type('.part-search', 'nobody at all');
    expect(one('.empty-state').textContent).toBe('No contacts found.');
  });
});

it('contacts that cannot be read anew stay, with the reason above them (CALL-27)', async () => {
  const known = { name: 'Anna', number: '1001', title: null, user: null, group: null, isReachable: null, isDesk: false };
  let answer = (): Promise<readonly (typeof known)[]> => Promise.resolve([known]);
  await open({ estate: { readContacts: () => answer() } });
  await press('Contacts');
  answer = () => Promise.reject(new Error('the server is gone'));
  await press(one('[aria-label="Refresh"]'));
  expect([one('.part-problem').textContent, all('.line-name').length]).toEqual([expect.stringMatching(/^Internal server error/), 1]);
  answer = () => Promise.resolve([known]);
  await press(one('[aria-label="Refresh"]'));
  expect(all('.part-problem')).toHaveLength(0);
});

describe('the recent calls', () => {
  const past = (id: number, more: Partial<RecentCall> = {}): RecentCall => ({
    id: uuid(id),
    from: { number: '2001', name: 'Main gate' },
    to: { number: '1001', name: null },
    status: 'answered',
    direction: 'incoming',
    duration: 63,
    at: stageNow - id * 3_600_000,
    answeredBy: null,
    sos: false,
    doorOpened: false,
    note: null,
    ...more,
  });
  const calls = [
    past(1),
    past(2, { from: { number: '2002', name: null }, status: 'noanswer', duration: 0 }),
    past(3, { from: { number: '2003', name: 'Lift' }, answeredBy: { number: '1002', name: 'Irina' }, status: 'noanswer' }),
    past(30, { direction: 'outgoing', from: { number: '1001', name: null }, to: { number: '1042', name: 'Boris' }, status: 'busy', duration: 0 }),
    past(100),
  ];
  it('stand by day in the person’s zone, each with what became of it', async () => {
    await open({ estate: { recents: { calls, total: 5 } } });
    await press('Recents');
    expect(all('.line-head').map(({ textContent }) => textContent)).toEqual(['Today', 'Yesterday', '17-11-2026']);
    expect(all('.line .cell-sub').map(({ textContent }) => textContent)).toEqual([
      '2001 · Answered · 01:03',
      'Missed',
      '2003 · Answered by Irina · 01:03',
      '1042 · Busy',
      '2001 · Answered · 01:03',
    ]);
    expect(one('.line-time').textContent).toBe('10:30');
  });
  it('keeps the missed as a list to work off: without those a colleague took', async () => {
    const { commands } = await open({ estate: { recents: { calls, total: 5 } } });
    await press('Recents');
    await press('Missed 1');
    expect(all('.line-name').map(({ textContent }) => textContent?.trim())).toEqual(['2002']);
    await press(one('[aria-label="Call 2002"]'));
    expect(dials(commands)).toMatchObject([{ number: '2002' }]);
  });
  it('reads earlier ones when told to', async () => {
    await open({ estate: { recents: { calls, total: 120 } } });
    await press('Recents');
    expect(one('.part-head [role="status"]').textContent).toBe('120 calls');
    expect(button('Show earlier calls')).toBeTruthy();
  });
});

describe('the doors', () => {
  const doors = [
    { token: 'a'.repeat(24), name: 'Main gate', number: '2001' },
    { token: 'b'.repeat(24), name: 'Parking', number: null },
  ];
  const hold = async (): Promise<void> => {
    await act(async () => one('.hold-button').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })));
    await act(async () => void (await vi.advanceTimersByTimeAsync(800)));
  };
  it('open only when one is chosen and held, and are confirmed only by the device', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    let answer: (said: { outcome: 'confirmed' | 'unconfirmed' }) => void = () => {};
    await open({ estate: { doors, openDoor: () => new Promise((resolve) => (answer = resolve)) } });
    await press('Doors');
    const [openIt, call] = all<HTMLButtonElement>('.door-acts button');
    expect([openIt?.disabled, call?.disabled]).toEqual([true, true]);
    await choose(one('.door-desk select'), 'b'.repeat(24));
    expect([openIt?.disabled, call?.disabled]).toEqual([false, true]);
    await choose(one('.door-desk select'), 'a'.repeat(24));
    expect([openIt?.disabled, call?.disabled]).toEqual([false, false]);
    await act(async () => openIt?.click());
    expect(one('.door-outcome').dataset['state']).toBe('closed');
    await hold();
    expect(one('.door-outcome').dataset['state']).toBe('sent');
    await act(async () => answer({ outcome: 'confirmed' }));
    expect([one('.door-outcome').dataset['state'], one('.door-outcome').textContent?.trim()]).toEqual([
      'confirmed',
      'Opened, confirmed by the device',
    ]);
  });
  it('say why a door stayed shut', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await open({ estate: { doors, openDoor: () => Promise.reject({ code: 'device_offline' }) } });
    await press('Doors');
    await choose(one('.door-desk select'), 'a'.repeat(24));
    await hold();
    expect(one('.door-outcome').dataset['state']).toBe('refused');
    expect(one('.door-outcome').textContent).toMatch(/device/i);
  });
});

it('doors are not there for those who may not open any', async () => {
  await open({ estate: { mayOpen: false } });
  expect(all('[role="tab"]').map(({ textContent }) => textContent)).toEqual(['Keypad', 'Contacts', 'Recents', 'Intercept']);
});

describe('interception', () => {
  const [north, south] = [
    { id: uuid(31), name: 'North', path: ['Town', 'North'] },
    { id: uuid(32), name: 'South', path: ['South'] },
  ];
  it('is not there without its permission', async () => {
    await open({ estate: { mayIntercept: false } });
    expect(all('[role="tab"]').map(({ textContent }) => textContent)).toEqual(['Keypad', 'Contacts', 'Recents', 'Doors']);
  });
  it('locks its groups while it is on', async () => {
    await open({ estate: { interception: { isActive: false, groups: [north], userGroups: [south] } } });
    await press('Intercept');
    const locked = () => one<HTMLFieldSetElement>('.interception-groups').disabled;
    expect(all('.interception-group').map(({ textContent }) => textContent)).toEqual(['SouthYours', 'NorthTown']);
    expect(locked()).toBe(false);
    await press('Start intercepting');
    expect([locked(), all('.group-search').length, one('.interception .tag').textContent]).toEqual([true, 0, 'Interception on']);
    await press('Stop intercepting');
    expect(locked()).toBe(false);
  });
});

describe('what a call was about', () => {
  it('is written down when the hand rests, and again only where it changed', async () => {
    const { asked, show } = await open({ mirror: mirrorOf({ calls: [talk()] }), answers: { callNote: () => ({ note: null }) } });
    vi.useFakeTimers();
    await press('Note');
    expect(asked.splice(0)).toEqual([{ call: 'callNote', params: { speechId: uuid(100) } }]);
    await type('.call-note textarea', 'A parcel for flat 15');
    // What is told of the call meanwhile, once a second, does not keep it from being written down.
    for (let second = 1; second <= 2; second += 1) {
      await show(mirrorOf({ calls: [talk({ quality: { roundTrip: second, loss: 0, jitter: 1 } })] }));
      await act(async () => vi.advanceTimersByTimeAsync(1_000));
    }
    await act(async () => vi.advanceTimersByTimeAsync(5_000));
    expect(asked).toEqual([{ call: 'noteCall', params: { speechId: uuid(100) }, body: { note: 'A parcel for flat 15' } }]);
    expect(one('.call-note [role="status"]').textContent).toBe('Saved');
    // Folded and unfolded, it is still there.
    await press('Keypad');
    await press('Note');
    expect(one<HTMLTextAreaElement>('.call-note textarea').value).toBe('A parcel for flat 15');
  });
  it('goes on where it was left by whoever had the call before; what cannot be read is not written over', async () => {
    let note: string | null = null;
    const callNote = (): unknown => (note === null ? Promise.reject(new Error('no')) : { note });
    const { asked } = await open({ mirror: mirrorOf({ calls: [talk()] }), answers: { callNote } });
    expect(asked).toEqual([]);
    await press('Note');
    expect(all('.call-note textarea')).toEqual([]);
    note = 'Waits for a locksmith';
    await press('Try again');
    expect(one<HTMLTextAreaElement>('.call-note textarea').value).toBe('Waits for a locksmith');
    expect(asked.map(({ call }) => call)).toEqual(['callNote', 'callNote']);
  });
  it('and why the door is opened goes with the opening', async () => {
    const { asked, commands } = await open({ mirror: mirrorOf({ calls: [talk()] }) });
    await press('Open door');
    expect([commands.map(({ type: name }) => name), asked]).toEqual([['call.openDoor'], []]);
    await type('.door-opener input', 'A parcel');
    await press('Open door');
    expect(asked).toEqual([{ call: 'explainOpening', params: { speechId: uuid(100) }, body: { reason: 'A parcel' } }]);
    expect(one<HTMLInputElement>('.door-opener input').value).toBe('');
  });
});

describe('settings', () => {
  it('show what the check found and keep it on the button', async () => {
    const checks = [
      { check: 'secure', outcome: 'passed', detail: null },
      { check: 'clock', outcome: 'passed', detail: { value: 2, unit: 's' } },
      { check: 'microphone', outcome: 'failed', detail: null },
    ] as const;
    await open({ estate: { checks } });
    await press(one('[aria-label="Phone settings"]'));
    await press('Check now');
    expect(all('.check-line').map(({ dataset }) => dataset['outcome'])).toEqual(['passed', 'passed', 'failed']);
    expect(all('.check-line .small').map(({ textContent }) => textContent)).toEqual(['', '2 s', '']);
    expect(one('.check-advice').textContent).toContain('Allow the microphone');
    expect(one('.phone-button').getAttribute('aria-label')).toContain('The last check found a fault');
  });
  it('say how loud each kind is, and let it be heard', async () => {
    const { commands, volumes } = await open();
    await press(one('[aria-label="Phone settings"]'));
    expect(all('.phone-volume label').map(({ textContent }) => textContent)).toEqual(['SOS calls', 'Calls', 'Call waiting', 'Notifications']);
    const [sos, call] = all('.phone-volume input') as HTMLInputElement[];
    if (!sos || !call) throw new Error('no sliders');
    expect([sos.min, call.min, call.getAttribute('aria-valuetext')]).toEqual(['0.3', '0', '80 %']);
    await type(call, '0.4');
    expect(volumes.get()).toEqual({ sos: 1, call: 0.4, waiting: 0.6, notice: 1 });
    await press(one('[aria-label="Play: SOS calls"]'));
    expect(commands).toEqual([{ type: 'ringer.test', tone: 'sos' }]);
  });
  it('change a key by pressing another, free the one that had it, and switch one off', async () => {
    const { phoneDesk } = await open();
    await press(one('[aria-label="Phone settings"]'));
    const [answer] = all('.shortcut-key');
    if (!answer) throw new Error('no keys');
    await press(answer);
    await keyDown(answer, { code: 'KeyM', key: 'm', altKey: true });
    expect(phoneDesk.get().keys).toMatchObject({ answer: 'Alt+KeyM', mute: null });
    await press(one('.shortcut input'));
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
    await open({ locale: 'ru', estate: { contacts }, mirror: mirrorOf() });
    await press('Контакты');
    expect(one('.part-head [role="status"]').textContent).toBe('3 контакта');
  });
});
