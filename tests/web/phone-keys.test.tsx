import { act, fireEvent, screen } from '@testing-library/react';
import { createRoot } from 'react-dom/client';
import { describe, expect, it, vi } from 'vitest';
import type { PhoneCommand } from '#machines/phone/commands.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { actsWhileTyping, commandOf, defaultKeys, isWay, keyName, keyOf, leads, shortcutActs, withDefaults } from '#src/views/phone/shortcuts.ts';
import { useShortcuts } from '#src/views/phone/use-shortcuts.ts';
import { uuid } from '#tests/support/people.ts';
import { callOf, mirrorOf, talk } from '#tests/support/phone-mirrors.ts';
import { dials, openStage, phoneButton } from './support/phone-stage.tsx';
import { durationText } from '#models/time.ts';

const desk = (calls: CallMirror[]) =>
  openStage({ mirror: mirrorOf({ calls }), frame: (button, beside) => [<input key="form" aria-label="A field of the page" />, button, beside] });
const field = (): HTMLElement => screen.getByRole('textbox', { name: 'A field of the page' });
/** Presses a key by its place on the board, whatever the layout writes there. @returns whether the phone took it */
const keyDown = (target: Element, init: KeyboardEventInit): boolean => !fireEvent.keyDown(target, init);

describe('keys on any page', () => {
  const waiting = callOf({ speechId: uuid(7), status: 'paused', isRinging: false, may: ['call.accept', 'call.hangUp'] });
  it('take the next call by Space where nobody types', async () => {
    const { commands } = await desk([waiting]);
    expect(keyDown(document.body, { code: 'Space', key: ' ' })).toBe(true);
    expect(dials(commands)).toMatchObject([{ type: 'call.accept', speechId: uuid(7) }]);
  });
  it('answer a call that waits and does not ring here yet, and one that calls back from hold, as they answer one that rings', async () => {
    const { commands, show } = await desk([waiting]);
    keyDown(document.body, { code: 'KeyA', altKey: true });
    await show(mirrorOf({ calls: [callOf({ status: 'processed_paused', isRinging: false, isRecalling: true, may: ['call.resume'] })] }));
    keyDown(document.body, { code: 'KeyA', altKey: true });
    expect(dials(commands)).toMatchObject([{ type: 'call.accept', speechId: uuid(7) }, { type: 'call.resume' }]);
  });
  it('answer what rings before an older call that only waits, and an SOS before all', () => {
    const [rings, sos] = [callOf({ speechId: uuid(8) }), callOf({ speechId: uuid(9), sos: 'yes', isRinging: false })];
    expect(commandOf('answer', [waiting, rings])).toMatchObject({ speechId: uuid(8) });
    expect(commandOf('answer', [sos, waiting, rings])).toMatchObject({ speechId: uuid(9) });
  });
  it('leave Space to the form and to buttons', async () => {
    const { commands } = await desk([waiting]);
    expect(keyDown(field(), { code: 'Space', key: ' ' })).toBe(false);
    expect(keyDown(phoneButton(), { code: 'Space', key: ' ' })).toBe(false);
    expect(commands).toEqual([]);
  });
  it('answer, decline, hold, mute and open with Alt from within a form, in any layout', async () => {
    const { commands, show } = await desk([callOf()]);
    expect(keyDown(field(), { code: 'KeyA', key: 'ф', altKey: true })).toBe(true);
    keyDown(field(), { code: 'KeyX', key: 'ч', altKey: true });
    await show(mirrorOf({ calls: [talk()] }));
    for (const code of ['KeyH', 'KeyM', 'KeyO']) keyDown(field(), { code, altKey: true });
    expect(dials(commands).map((command) => (command as { type: string }).type)).toEqual([
      'call.accept',
      'call.decline',
      'call.hold',
      'call.mute',
      'call.openDoor',
    ]);
  });
  it('end the call one is in, and no other', async () => {
    const { commands } = await desk([callOf(), talk({ speechId: uuid(3) })]);
    keyDown(document.body, { code: 'KeyQ', altKey: true });
    expect(dials(commands)).toEqual([{ type: 'call.hangUp', speechId: uuid(3) }]);
  });
  it('hand a call on in few presses: the part opens with its field, Enter takes whom was found, and once more hands on', async () => {
    const { commands } = await openStage({
      mirror: mirrorOf({ calls: [talk()] }),
      estate: { contacts: [{ name: 'Boris Hale', number: '1003', title: null, user: null, group: null, isReachable: null, isDesk: false }] },
      frame: (button, beside) => [button, beside],
    });
    keyDown(document.body, { code: 'KeyT', altKey: true });
    const to = await screen.findByRole('textbox', { name: 'Transfer to' });
    expect(document.activeElement).toBe(to);
    await act(async () => void fireEvent.change(to, { target: { value: 'bo' } }));
    await act(async () => void keyDown(to, { key: 'Enter', code: 'Enter' }));
    await act(async () => void keyDown(to, { key: 'Enter', code: 'Enter' }));
    expect(dials(commands)).toMatchObject([{ type: 'call.transfer', to: '1003' }]);
    expect(screen.queryByRole('textbox', { name: 'Transfer to' })).toBeNull();
  });
  it('go to the phone, and from card to card', async () => {
    await desk([talk({ speechId: uuid(3), name: 'Lobby' }), callOf({ speechId: uuid(4), name: 'Gate' })]);
    const within = (): string | null | undefined => document.activeElement?.closest('.call')?.getAttribute('aria-label');
    for (const expected of ['Lobby', 'Gate', 'Lobby']) {
      await act(async () => void keyDown(document.body, { code: 'KeyC', altKey: true }));
      expect(within()).toBe(expected);
    }
  });
  it('mean the call as it is shown, from the moment it is', async () => {
    const sent: PhoneCommand[] = [];
    function Card({ calls }: { calls: CallMirror[] }) {
      useShortcuts(
        defaultKeys,
        calls,
        (command) => sent.push(command),
        () => {},
      );
      return <p>{calls[0]?.status}</p>;
    }
    // As in the browser, where nobody waits for effects: the key comes right after the change of the page.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    const place = document.createElement('div');
    const root = createRoot(place);
    root.render(<Card calls={[callOf()]} />);
    await expect.poll(() => place.textContent).toBe('calling');
    const pressed = new Promise<void>((done) => {
      new MutationObserver(() => {
        keyDown(document.body, { code: 'KeyH', altKey: true });
        done();
      }).observe(place, { subtree: true, childList: true, characterData: true });
    });
    root.render(<Card calls={[talk()]} />);
    await pressed;
    root.unmount();
    vi.unstubAllGlobals();
    expect(sent).toMatchObject([{ type: 'call.hold' }]);
  });
  it('do nothing while there is nothing to do, held down, or switched off', async () => {
    const { commands, show, phoneDesk } = await desk([]);
    expect(keyDown(document.body, { code: 'KeyA', altKey: true })).toBe(false);
    await show(mirrorOf({ calls: [callOf()] }));
    expect(keyDown(document.body, { code: 'KeyA', altKey: true, repeat: true })).toBe(false);
    await act(async () => phoneDesk.set({ isOpen: true, keys: { answer: null } }));
    expect(keyDown(document.body, { code: 'KeyA', altKey: true })).toBe(false);
    expect(commands).toEqual([]);
  });
});

describe('what a key is', () => {
  it.each([
    [{ code: 'KeyA', altKey: true }, 'Alt+KeyA', 'Alt + A'],
    [{ code: 'Digit1', ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+Digit1', 'Ctrl + Shift + 1'],
    [{ code: 'F4' }, 'F4', 'F4'],
  ])('%j is %s', (pressed, key, name) => {
    const read = keyOf({ altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...pressed });
    expect([read, keyName(read ?? '')]).toEqual([key, name]);
  });
  it.each(['Enter', 'Escape', 'Tab', 'AltLeft', 'ShiftRight', ''])('%s belongs to forms', (code) => {
    expect(keyOf({ code, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false })).toBeNull();
  });
  it('acts while one types only where it does not type', () => {
    expect(['Alt+KeyA', 'Ctrl+Shift+Digit1', 'F4', 'Shift+F2', 'Space', 'KeyA', 'Shift+KeyA'].map(actsWhileTyping)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
  it('keeps what was made for acts that were never changed', () => {
    expect(withDefaults({ answer: null, nonsense: 'KeyQ' })).toEqual({ ...defaultKeys, answer: null });
  });
});

describe('what a key means', () => {
  it('resumes the call that is held, and puts a live one on hold', () => {
    const held = talk({ isHeld: true, isBusy: false, status: 'paused', may: ['call.resume'] });
    expect(commandOf('hold', [held])).toMatchObject({ type: 'call.resume' });
    expect(commandOf('hold', [talk()])).toMatchObject({ type: 'call.hold' });
    const queued = callOf({ speechId: uuid(1), status: 'processed_paused', isRinging: false, isMine: true, may: ['call.resume'] });
    expect(commandOf('hold', [queued])).toMatchObject({ type: 'call.resume', speechId: uuid(1) });
    expect(commandOf('hold', [queued, talk()])).toMatchObject({ type: 'call.hold' });
    expect(commandOf('hold', [{ ...queued, isMine: false }])).toBeNull();
  });
  it('is nothing where nothing may be done', () => {
    const idle = [talk({ may: [], activeAt: null })];
    expect(shortcutActs.map((act) => (isWay(act) ? null : commandOf(act, idle)))).toEqual(shortcutActs.map(() => null));
    expect([leads('transfer', idle), leads('note', idle), leads('card', []), leads('phone', [])]).toEqual([false, false, false, true]);
  });
  it('takes first what stands first: the SOS', () => {
    const sos = callOf({ speechId: uuid(1), sos: 'yes' });
    expect(commandOf('next', [sos, callOf()])).toMatchObject({ type: 'call.accept', speechId: uuid(1) });
  });
});

describe('durations', () => {
  it.each([
    [-3, '00:00'],
    [9.9, '00:09'],
    [84, '01:24'],
    [3_600, '01:00:00'],
    [93_784, '01:02:03:04'],
  ])('%d seconds are %s', (seconds, words) => expect(durationText(seconds)).toBe(words));
});
