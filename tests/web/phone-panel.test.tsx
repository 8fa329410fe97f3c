import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { registrationStates } from '#models/sip.ts';
import { uuid } from '#tests/support/people.ts';
import { callOf, mirrorOf, stageNow, talk } from '#tests/support/phone-mirrors.ts';
import { buttonNames, callCard, openStage, phoneButton } from './support/phone-stage.tsx';
import { fill } from './support/user.ts';

const panel = () => screen.queryByRole('complementary', { name: 'Phone' });
/** The calls that stand above all else. */
const deskCalls = (): HTMLElement => screen.getByRole('region', { name: 'Calls' });
/** What the cards say last: of calls that are over, why. */
const lastWords = () => screen.getAllByRole('listitem', { name: 'Main gate' }).map((card) => card.lastElementChild?.textContent);

describe('the button', () => {
  const looks = { registering: 'info', registered: 'good', unregistering: 'info', unregistered: 'warn', error: 'bad', invalid_registration: 'bad' };
  const marks = {
    registering: 'loading',
    registered: undefined,
    unregistering: 'loading',
    unregistered: 'locked',
    error: 'disabled',
    invalid_registration: 'locked',
  };
  /** The picture on it, hidden from readers: the button's name says the same in words. */
  const mark = () => {
    const sign = phoneButton().firstElementChild;
    return sign instanceof HTMLElement ? sign.dataset['mark'] : null;
  };
  it.each(registrationStates)('%s looks and says so', async (registration) => {
    await openStage({ mirror: mirrorOf({ registration }), isOpen: false });
    expect([phoneButton().dataset['tone'], mark()]).toEqual([looks[registration], marks[registration]]);
    expect(phoneButton().getAttribute('aria-label')).toMatch(
      /^Phone 1001\. (?:Connecting|On duty|Going off duty|Off duty|No connection|Number rejected)/,
    );
  });
  it('rings and shakes, and says whether it can be heard', async () => {
    const { show } = await openStage({ isOpen: false, mirror: mirrorOf({ sound: 'unarmed' }) });
    expect(phoneButton().getAttribute('aria-label')).toContain('sound off');
    await show(mirrorOf({ ringing: 'call', calls: [callOf()] }));
    expect([phoneButton().dataset['ringing'], mark()]).toEqual(['true', 'ringing']);
    expect(phoneButton().getAttribute('aria-label')).toContain('A call is coming in');
  });
  it('opens and closes the panel, which is remembered', async () => {
    const { phoneDesk, user, press } = await openStage({ isOpen: false });
    expect(panel()).toBeNull();
    await user.click(phoneButton());
    expect([panel() === null, phoneDesk.get().isOpen]).toEqual([false, true]);
    await press('Close phone');
    expect([panel(), phoneDesk.get().isOpen]).toEqual([null, false]);
  });
});

describe('a sheet over the page', () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  afterEach(() => happyDOM.setViewport({ width: 1024 }));
  it('takes the focus, is left by Escape and gives the focus back; beside the page Escape is the page’s own', async () => {
    const { phoneDesk, user, press } = await openStage({ isOpen: false });
    await user.click(phoneButton());
    await user.keyboard('{Escape}');
    expect(phoneDesk.get().isOpen).toBe(true);
    await press('Close phone');
    happyDOM.setViewport({ width: 390 });
    await user.click(phoneButton());
    expect(panel()?.contains(document.activeElement)).toBe(true);
    await user.keyboard('{Escape}');
    expect(phoneDesk.get().isOpen).toBe(false);
    expect(document.activeElement).toBe(phoneButton());
  });
});

describe('a call that rings', () => {
  it('stands above all while the panel is closed, and takes no focus', async () => {
    const { show, commands, press, user } = await openStage({
      isOpen: false,
      frame: (button, beside) => [<input key="form" aria-label="A field of the page" />, button, beside],
    });
    const field = screen.getByRole('textbox', { name: 'A field of the page' });
    await user.click(field);
    await show(mirrorOf({ ringing: 'call', calls: [callOf()] }));
    expect(document.activeElement).toBe(field);
    expect(within(deskCalls()).getByRole('listitem', { name: 'Main gate' })).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('Incoming call: Main gate');
    await press('Silence ringing');
    await press('Decline');
    expect(commands.map(({ type }) => type)).toEqual(['call.silence', 'call.decline']);
  });
  it('that cannot be heard is seen all the same, with the press that lets it sound (D33)', async () => {
    const { commands, press } = await openStage({ isOpen: false, mirror: mirrorOf({ ringing: 'call', sound: 'refused', calls: [callOf()] }) });
    expect(within(deskCalls()).getByRole('status').textContent).toContain('A call could not be heard');
    await press('Turn on sound');
    expect(commands).toEqual([{ type: 'ringer.arm' }]);
  });
  it('answered by a double press is only answered: what comes up below the finger is not pressed (D27)', async () => {
    const { show, commands } = await openStage({ mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    // The two halves of one double press, each on what lies below the finger then.
    const click = (name: string, detail: number) => fireEvent.click(screen.getByRole('button', { name }), { detail });
    click('Answer', 1);
    await show(mirrorOf({ calls: [talk()] }));
    click('Camera on', 2);
    expect(commands.map(({ type }) => type)).toEqual(['call.accept']);
    click('Camera on', 1);
    expect(commands.map(({ type }) => type)).toEqual(['call.accept', 'call.camera']);
  });
  it('is in the panel where that is open, without a second card', async () => {
    await openStage({ mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    const inDesk = within(deskCalls()).getAllByRole('listitem', { name: 'Main gate' });
    expect([inDesk, deskCalls().parentElement?.dataset['open']]).toEqual([screen.getAllByRole('listitem', { name: 'Main gate' }), 'true']);
    expect(inDesk).toHaveLength(1);
  });
  it('leaves the notes to be scrolled by the keyboard, where nothing beside them takes the focus', async () => {
    const { show, turnTo } = await openStage({ mirror: mirrorOf() });
    // The room between head and tabs has neither role nor name of its own.
    const body = () => screen.getByRole('tablist').previousElementSibling?.getAttribute('tabindex');
    expect(body()).toBe('-1');
    await show(mirrorOf({ calls: [talk()] }));
    expect(body()).toBe('0');
    await turnTo('Keypad');
    expect(body()).toBe('-1');
  });
  it('calls back from hold: the card warns, readers hear it, and it can be hushed', async () => {
    const held = callOf({
      status: 'processed_paused',
      isRinging: false,
      isRecalling: true,
      isMine: true,
      may: ['call.resume', 'call.silence', 'call.hangUp'],
    });
    const { commands, press } = await openStage({ isOpen: false, mirror: mirrorOf({ ringing: 'call', calls: [held] }) });
    expect(within(callCard()).getByText('On hold too long. Resume this call.')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('On hold too long: Main gate');
    await press('Silence ringing');
    await press('Resume');
    expect(commands.map(({ type }) => type)).toEqual(['call.silence', 'call.resume']);
  });
  it('makes the title blink and leaves it as it was', async () => {
    document.title = 'Users · Doorward';
    const { show } = await openStage({ mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    expect(document.title).toBe('☎ Main gate is calling');
    await show(mirrorOf());
    expect(document.title).toBe('Users · Doorward');
  });
  it('tells an SOS from an unclear one, and looking up from unknown (D41)', async () => {
    const unknown = { info: null, name: null, group: null };
    const { show } = await openStage({ mirror: mirrorOf({ calls: [callOf({ ...unknown, sos: 'yes', isLookingUp: true })] }) });
    const card = () => within(deskCalls()).getByRole('listitem');
    expect(card().dataset['sos']).toBe('yes');
    expect(card().textContent).toContain('Looking up who this is… · Ringing');
    await show(mirrorOf({ calls: [callOf({ ...unknown, sos: 'unclear' })] }));
    expect(within(card()).getByText('Possible SOS')).toBeTruthy();
    expect(card().textContent).toContain('Unknown caller · Ringing');
  });
  it('warns by the age of its waiting', async () => {
    const waits = (seconds: number) => mirrorOf({ calls: [callOf({ startedAt: stageNow - seconds * 1_000 })] });
    const { show } = await openStage({ mirror: waits(29) });
    const age = (time: string) => within(callCard()).getByText(time).dataset['age'];
    const warning = () => within(callCard()).queryByRole('img', { name: 'Waiting too long' });
    expect(age('00:29')).toBe('young');
    await show(waits(30));
    expect([age('00:30'), warning()]).toEqual(['old', null]);
    await show(waits(3_725));
    expect([age('01:02:05'), warning() === null]).toEqual(['late', false]);
  });
  it('is locked while an answer is under way', async () => {
    await openStage({ mirror: mirrorOf({ calls: [callOf({ awaits: 'answer', isRinging: false, may: [] })] }) });
    const buttons = within(callCard()).getAllByRole<HTMLButtonElement>('button');
    expect(buttons.map(({ textContent, disabled }) => [textContent, disabled])).toEqual([['Answering…', true]]);
  });
});

describe('a call one is in', () => {
  it('shows what may be done and nothing else', async () => {
    const { show, commands, press } = await openStage({ mirror: mirrorOf({ calls: [talk()] }) });
    const always = ['Note', 'Call 700'];
    expect(buttonNames(callCard())).toEqual(['Mute', 'Hold', 'Keypad', 'Transfer', 'Camera on', 'Sound', ...always, 'Open door', 'End']);
    expect(within(callCard()).getByText('01:24')).toBeTruthy();
    expect(within(callCard()).getByText('24 ms · 0 % lost · jitter 3 ms')).toBeTruthy();
    await press('Mute');
    await press('Open door');
    await press('Hold');
    expect(commands).toMatchObject([{ type: 'call.mute', on: true }, { type: 'call.openDoor' }, { type: 'call.hold' }]);
    await show(mirrorOf({ calls: [talk({ may: ['call.hangUp'], awaits: 'hold' })] }));
    expect(buttonNames(callCard())).toEqual(['Hold', ...always, 'End']);
    expect(within(callCard()).getByText('Putting on hold…')).toBeTruthy();
  });
  it('says what became of the door, green only when the device said so', async () => {
    const { show } = await openStage({ mirror: mirrorOf({ calls: [talk({ door: 'sent' })] }) });
    const state = (words: string) => within(callCard()).getByText(words).dataset['state'];
    expect(state('Sent. Waiting for the device…')).toBe('sent');
    await show(mirrorOf({ calls: [talk({ door: 'unconfirmed' })] }));
    expect(state('Not confirmed within 5 s. Check the door.')).toBe('unconfirmed');
    await show(mirrorOf({ calls: [talk({ door: 'confirmed' })] }));
    expect(state('Opened, confirmed by the device')).toBe('confirmed');
  });
  it('says who cannot hear whom, the microphone before all', async () => {
    const { show } = await openStage({ mirror: mirrorOf({ calls: [talk({ isHeard: false, hears: false })] }) });
    const trouble = () => within(callCard()).getByRole('alert').textContent.trim();
    expect(trouble()).toBe('They cannot hear you');
    await show(mirrorOf({ calls: [talk({ hears: false })] }));
    expect(trouble()).toBe('You cannot hear them');
    await show(mirrorOf({ calls: [talk({ microphone: 'notAllowed', isHeard: false })] }));
    expect(trouble()).toContain('has no access to the microphone');
    await show(mirrorOf({ calls: [talk({ isHeld: true, isHeard: false })] }));
    expect(trouble()).toBe('');
  });
  it('sends keys, and hands on to a number or to a contact that is found by name', async () => {
    const contacts = [{ name: 'Boris', number: '1042', title: null, user: null, group: 'Tower B', isReachable: true, isDesk: false }];
    const { commands, press, turnTo, user } = await openStage({ mirror: mirrorOf({ calls: [talk()] }), estate: { contacts } });
    await turnTo('Contacts');
    await press('Keypad');
    await user.click(within(callCard()).getByRole('button', { name: 'Hash' }));
    expect(commands.at(-1)).toMatchObject({ type: 'call.dtmf', tone: '#' });
    await press('Transfer');
    const transfer = within(screen.getByRole('group', { name: 'Transfer' }));
    await fill(user, transfer.getByRole('textbox', { name: 'Transfer to' }), 'bor');
    await user.click(transfer.getByRole('button', { name: /^Boris/ }));
    await press('Transfer now');
    expect(commands.at(-1)).toMatchObject({ type: 'call.transfer', to: '1042' });
  });
  it('asks before the tab is closed only where this tab holds the call', async () => {
    await openStage({ mirror: mirrorOf({ calls: [talk()] }) });
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(false);
  });
  it('says why it is over, and is announced', async () => {
    await openStage({
      mirror: mirrorOf({ calls: [talk({ status: 'destroyed', isBusy: false, endedAt: stageNow, endReason: 'farHungUp', may: ['call.dismiss'] })] }),
    });
    expect(within(callCard()).getByText('The other party hung up')).toBeTruthy();
    expect(screen.getByText('Call with Main gate ended: The other party hung up').getAttribute('role')).toBe('status');
  });
  it('says that a browser cannot make calls, where that is why (SIP-15, ERR-011)', async () => {
    const failed = { status: 'destroyed', isRinging: false, endedAt: stageNow, endReason: 'noMedia', may: [] } as const;
    await openStage({ mirror: mirrorOf({ calls: [callOf({ ...failed, microphone: 'unsupported' }), callOf({ ...failed, speechId: uuid(101) })] }) });
    expect(lastWords()).toEqual([expect.stringMatching(/^This browser cannot make calls because/), 'No common audio format']);
  });
  it('says of a machine without a microphone that it has none, and what to do (ERR-012)', async () => {
    await openStage({ mirror: mirrorOf({ calls: [talk({ microphone: 'notFound' })] }) });
    expect(within(callCard()).getByText('They cannot hear you: no microphone was found. Connect one.')).toBeTruthy();
  });
  it('says which line outside refused it, and with what code', async () => {
    const refused = { status: 'destroyed', isRinging: false, endedAt: stageNow, endReason: 'unavailable', direction: 'outgoing', may: [] } as const;
    const by = (at: number, status: number | null, reason: string | null) =>
      callOf({ ...refused, speechId: uuid(100 + at), refusal: { trunk: 'City line', status, reason } });
    await openStage({ mirror: mirrorOf({ calls: [by(0, 403, 'No credit'), by(1, 503, null), by(2, null, null), by(3, 699, 'Odd')] }) });
    expect(lastWords()).toEqual([
      'City line: the provider does not allow this call (403 No credit)',
      'City line: the provider’s server failed (503)',
      'City line: the provider’s server does not respond',
      'City line: the provider refused the call (699 Odd)',
    ]);
  });
  it('says who gave a call up before its answer: the caller, or oneself', async () => {
    const given = { status: 'destroyed', isRinging: false, endedAt: stageNow, endReason: 'cancelled', may: [] } as const;
    await openStage({ mirror: mirrorOf({ calls: [callOf(given), callOf({ ...given, speechId: uuid(101), direction: 'outgoing' })] }) });
    expect(lastWords()).toEqual(['The caller hung up', 'You cancelled the call']);
  });
});

describe('what keeps the desk from being reached', () => {
  it('is said with the press that helps', async () => {
    const { commands, press } = await openStage({ mirror: mirrorOf({ registration: 'unregistered', sound: 'unarmed' }) });
    const notes = screen.getAllByRole('status').filter((note) => within(note).queryByRole('button'));
    expect(notes.map(({ textContent }) => textContent)).toEqual([
      'You are off duty: calls do not ring here.Go on duty',
      'Calls make no sound yet: the browser waits for your first click.Turn on sound',
    ]);
    await press('Go on duty');
    await press('Turn on sound');
    expect(commands.map(({ type }) => type)).toEqual(['phone.register', 'ringer.arm']);
  });
});
