import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { registrationStates } from '#models/sip.ts';
import { uuid } from '#tests/support/people.ts';
import { callOf, mirrorOf, stageNow, talk } from '#tests/support/phone-mirrors.ts';
import { all, button, one, press } from './support/area-page.ts';
import { openStage } from './support/phone-stage.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let stage: Awaited<ReturnType<typeof openStage>> | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});
const open = async (...options: Parameters<typeof openStage>) => (stage = await openStage(...options));
const text = (): string => document.body.textContent ?? '';

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
  it.each(registrationStates)('%s looks and says so', async (registration) => {
    await open({ mirror: mirrorOf({ registration }), isOpen: false });
    const button = one('.phone-button');
    expect([button.dataset['tone'], one('.phone-sign').dataset['mark']]).toEqual([looks[registration], marks[registration]]);
    expect(button.getAttribute('aria-label')).toMatch(/^Phone 1001\. (?:Connecting|On duty|Going off duty|Off duty|No connection|Number rejected)/);
  });
  it('rings and shakes, and says whether it can be heard', async () => {
    const { show } = await open({ isOpen: false, mirror: mirrorOf({ sound: 'unarmed' }) });
    expect(one('.phone-button').getAttribute('aria-label')).toContain('sound off');
    await show(mirrorOf({ ringing: 'call', calls: [callOf()] }));
    expect(one('.phone-button').dataset['ringing']).toBe('true');
    expect(one('.phone-sign').dataset['mark']).toBe('ringing');
    expect(one('.phone-button').getAttribute('aria-label')).toContain('A call is coming in');
  });
  it('opens and closes the panel, which is remembered', async () => {
    const { phoneDesk } = await open({ isOpen: false });
    expect(all('.phone-panel')).toHaveLength(0);
    await press(one('.phone-button'));
    expect([all('.phone-panel').length, phoneDesk.get().isOpen]).toEqual([1, true]);
    await press(one('[aria-label="Close phone"]'));
    expect([all('.phone-panel').length, phoneDesk.get().isOpen]).toEqual([0, false]);
  });
});

describe('a sheet over the page', () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  afterEach(() => happyDOM.setViewport({ width: 1024 }));
  it('takes the focus, is left by Escape and gives the focus back; beside the page Escape is the page’s own', async () => {
    const { phoneDesk } = await open({ isOpen: false });
    const escape = () =>
      act(async () => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })));
    one('.phone-button').focus();
    await press(one('.phone-button'));
    await escape();
    expect(phoneDesk.get().isOpen).toBe(true);
    await press(one('[aria-label="Close phone"]'));
    happyDOM.setViewport({ width: 390 });
    one('.phone-button').focus();
    await press(one('.phone-button'));
    expect(one('.phone-panel').contains(document.activeElement)).toBe(true);
    await escape();
    expect([phoneDesk.get().isOpen, document.activeElement?.className]).toEqual([false, 'phone-button']);
  });
});

describe('a call that rings', () => {
  it('stands above all while the panel is closed, and takes no focus', async () => {
    const { show, commands } = await open({ isOpen: false, frame: (button, beside) => [<input key="form" id="typing" />, button, beside] });
    one<HTMLInputElement>('#typing').focus();
    await show(mirrorOf({ ringing: 'call', calls: [callOf()] }));
    expect(document.activeElement?.id).toBe('typing');
    expect(one('.desk-calls').textContent).toContain('Main gate');
    expect(one('[role="alert"]').textContent).toBe('Incoming call: Main gate');
    await press(one('.desk-calls [aria-label="Silence ringing"]'));
    await press('Decline');
    expect(commands.map(({ type }) => type)).toEqual(['call.silence', 'call.decline']);
  });
  it('that cannot be heard is seen all the same, with the press that lets it sound (D33)', async () => {
    const { commands } = await open({ isOpen: false, mirror: mirrorOf({ ringing: 'call', sound: 'refused', calls: [callOf()] }) });
    expect(one('.desk-calls .phone-note').textContent).toContain('A call could not be heard');
    await press('Turn on sound');
    expect(commands).toEqual([{ type: 'ringer.arm' }]);
  });
  it('answered by a double press is only answered: what comes up below the finger is not pressed (D27)', async () => {
    const { show, commands } = await open({ mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    const click = (name: string, detail: number): Promise<void> =>
      act(async () => void button(name).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail })));
    await click('Answer', 1);
    await show(mirrorOf({ calls: [talk()] }));
    await click('Camera on', 2);
    expect(commands.map(({ type }) => type)).toEqual(['call.accept']);
    await click('Camera on', 1);
    expect(commands.map(({ type }) => type)).toEqual(['call.accept', 'call.camera']);
  });
  it('is in the panel where that is open, without a second card', async () => {
    await open({ mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    expect([all('.desk-calls .call').length, all('.call').length, one('.desk-room').dataset['open']]).toEqual([1, 1, 'true']);
  });
  it('leaves the notes to be scrolled by the keyboard, where nothing beside them takes the focus', async () => {
    const { show } = await open({ mirror: mirrorOf() });
    const body = (): string | undefined => one('.phone-body').getAttribute('tabindex') ?? undefined;
    expect(body()).toBe('-1');
    await show(mirrorOf({ calls: [talk()] }));
    expect(body()).toBe('0');
    await press(one('[role="tab"]'));
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
    const { commands } = await open({ isOpen: false, mirror: mirrorOf({ ringing: 'call', calls: [held] }) });
    expect(one('.desk-calls .call-recall').textContent).toContain('On hold too long');
    expect(one('[role="alert"]').textContent).toBe('On hold too long: Main gate');
    await press(one('.desk-calls [aria-label="Silence ringing"]'));
    await press('Resume');
    expect(commands.map(({ type }) => type)).toEqual(['call.silence', 'call.resume']);
  });
  it('makes the title blink and leaves it as it was', async () => {
    document.title = 'Users · Doorward';
    const { show } = await open({ mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    expect(document.title).toBe('☎ Main gate is calling');
    await show(mirrorOf());
    expect(document.title).toBe('Users · Doorward');
  });
  it('tells an SOS from an unclear one, and looking up from unknown (D41)', async () => {
    const unknown = { info: null, name: null, group: null };
    const { show } = await open({ mirror: mirrorOf({ calls: [callOf({ ...unknown, sos: 'yes', isLookingUp: true })] }) });
    expect(one('.call').dataset['sos']).toBe('yes');
    expect(one('.call-lines').textContent).toBe('Looking up who this is… · Ringing');
    await show(mirrorOf({ calls: [callOf({ ...unknown, sos: 'unclear' })] }));
    expect(one('.sos-mark').textContent).toContain('Possible SOS');
    expect(one('.call-lines').textContent).toBe('Unknown caller · Ringing');
  });
  it('warns by the age of its waiting', async () => {
    const waits = (seconds: number) => mirrorOf({ calls: [callOf({ startedAt: stageNow - seconds * 1_000 })] });
    const { show } = await open({ mirror: waits(29) });
    const seen = () => [one('.call-time').textContent, one('.call-time').dataset['age']];
    expect(seen()).toEqual(['00:29', 'young']);
    await show(waits(30));
    expect(seen()).toEqual(['00:30', 'old']);
    await show(waits(3_725));
    expect(seen()).toEqual(['01:02:05', 'late']);
  });
  it('is locked while an answer is under way', async () => {
    await open({ mirror: mirrorOf({ calls: [callOf({ awaits: 'answer', isRinging: false, may: [] })] }) });
    expect(all<HTMLButtonElement>('.call button').map(({ textContent, disabled }) => [textContent, disabled])).toEqual([['Answering…', true]]);
  });
});

describe('a call one is in', () => {
  it('shows what may be done and nothing else', async () => {
    const { show, commands } = await open({ mirror: mirrorOf({ calls: [talk()] }) });
    const tiles = () => all('.tile').map(({ textContent }) => textContent);
    expect(tiles()).toEqual(['Mute', 'Hold', 'Keypad', 'Transfer', 'Camera on', 'Sound', 'Note', 'Call 700']);
    expect(one('.call-time').textContent).toBe('01:24');
    expect(one('.line-quality').textContent).toBe('24 ms · 0 % lost · jitter 3 ms');
    await press('Mute');
    await press('Open door');
    await press('Hold');
    expect(commands).toMatchObject([{ type: 'call.mute', on: true }, { type: 'call.openDoor' }, { type: 'call.hold' }]);
    await show(mirrorOf({ calls: [talk({ may: ['call.hangUp'], awaits: 'hold' })] }));
    expect(tiles()).toEqual(['Hold', 'Note', 'Call 700']);
    expect(one('.call-standing').textContent).toBe('Putting on hold…');
  });
  it('says what became of the door, green only when the device said so', async () => {
    const { show } = await open({ mirror: mirrorOf({ calls: [talk({ door: 'sent' })] }) });
    const door = () => [one('.door-outcome').dataset['state'], one('.door-outcome').textContent?.trim()];
    expect(door()).toEqual(['sent', 'Sent. Waiting for the device…']);
    await show(mirrorOf({ calls: [talk({ door: 'unconfirmed' })] }));
    expect(door()).toEqual(['unconfirmed', 'Not confirmed within 5 s. Check the door.']);
    await show(mirrorOf({ calls: [talk({ door: 'confirmed' })] }));
    expect(door()).toEqual(['confirmed', 'Opened, confirmed by the device']);
  });
  it('says who cannot hear whom, the microphone before all', async () => {
    const { show } = await open({ mirror: mirrorOf({ calls: [talk({ isHeard: false, hears: false })] }) });
    const trouble = () => one('.line-trouble').textContent?.trim();
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
    const { commands } = await open({ mirror: mirrorOf({ calls: [talk()] }), estate: { contacts } });
    await press('Contacts');
    await press(one('.tile .pi-th-large'));
    await press(one('.unfolded [aria-label="Hash"]'));
    expect(commands.at(-1)).toMatchObject({ type: 'call.dtmf', tone: '#' });
    await press('Transfer');
    const field = one<HTMLInputElement>('.transfer input');
    await act(async () => {
      Reflect.set(Object.getPrototypeOf(field) as object, 'value', 'bor', field);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await press(one('.transfer-found button'));
    await press('Transfer now');
    expect(commands.at(-1)).toMatchObject({ type: 'call.transfer', to: '1042' });
  });
  it('asks before the tab is closed only where this tab holds the call', async () => {
    await open({ mirror: mirrorOf({ calls: [talk()] }) });
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(false);
  });
  it('says why it is over, and is announced', async () => {
    await open({
      mirror: mirrorOf({ calls: [talk({ status: 'destroyed', isBusy: false, endedAt: stageNow, endReason: 'farHungUp', may: ['call.dismiss'] })] }),
    });
    expect(one('.call-state').textContent).toContain('The other party hung up');
    expect(text()).toContain('Call with Main gate ended: The other party hung up');
  });
  it('says that a browser cannot make calls, where that is why (SIP-15)', async () => {
    const failed = { status: 'destroyed', isRinging: false, endedAt: stageNow, endReason: 'noMedia', may: [] } as const;
    await open({ mirror: mirrorOf({ calls: [callOf({ ...failed, microphone: 'unsupported' }), callOf({ ...failed, speechId: uuid(101) })] }) });
    expect(all('.call-state').map(({ textContent }) => textContent)).toEqual(['This browser cannot make calls.', 'No common audio format']);
  });
  it('says which line outside refused it, and with what code', async () => {
    const refused = { status: 'destroyed', isRinging: false, endedAt: stageNow, endReason: 'unavailable', direction: 'outgoing', may: [] } as const;
    const by = (at: number, status: number | null, reason: string | null) =>
      callOf({ ...refused, speechId: uuid(100 + at), refusal: { trunk: 'City line', status, reason } });
    await open({ mirror: mirrorOf({ calls: [by(0, 403, 'No credit'), by(1, 503, null), by(2, null, null), by(3, 699, 'Odd')] }) });
    expect(all('.call-state').map(({ textContent }) => textContent)).toEqual([
      'City line: the provider does not allow this call (403 No credit)',
      'City line: the provider’s server failed (503)',
      'City line: the provider’s server does not respond',
      'City line: the provider refused the call (699 Odd)',
    ]);
  });
  it('says who gave a call up before its answer: the caller, or oneself', async () => {
    const given = { status: 'destroyed', isRinging: false, endedAt: stageNow, endReason: 'cancelled', may: [] } as const;
    await open({ mirror: mirrorOf({ calls: [callOf(given), callOf({ ...given, speechId: uuid(101), direction: 'outgoing' })] }) });
    expect(all('.call-state').map(({ textContent }) => textContent)).toEqual(['The caller hung up', 'You cancelled the call']);
  });
});

describe('what keeps the desk from being reached', () => {
  it('is said with the press that helps', async () => {
    const { commands } = await open({ mirror: mirrorOf({ registration: 'unregistered', sound: 'unarmed' }) });
    expect(all('.phone-note')).toHaveLength(2);
    await press('Go on duty');
    await press('Turn on sound');
    expect(commands.map(({ type }) => type)).toEqual(['phone.register', 'ringer.arm']);
  });
});
