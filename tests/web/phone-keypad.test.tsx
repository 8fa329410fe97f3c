import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { all, one, press, type } from './support/area-page.ts';
import { dials, keyDown, openStage } from './support/phone-stage.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let stage: Awaited<ReturnType<typeof openStage>> | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
  vi.useRealTimers();
});
const open = async (...options: Parameters<typeof openStage>) => (stage = await openStage(...options));
const paste = (target: Element, text: string): Promise<void> =>
  act(async () => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => text } });
    target.dispatchEvent(event);
  });
const number = (): HTMLInputElement => one<HTMLInputElement>('.keypad-number');

describe('the keypad', () => {
  it('has its twelve keys and calls only a number', async () => {
    const { commands } = await open();
    expect(all('.key').map(({ textContent }) => textContent)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']);
    expect(all('.keypad-call')).toHaveLength(0);
    await press('2');
    await press('0');
    expect(number().value).toBe('20');
    await press('Call');
    expect(dials(commands)).toMatchObject([{ type: 'phone.dial', number: '20', video: false }]);
  });
  it('has a button for the front desk', async () => {
    const desk = { name: 'Riverside', number: '700', title: null, user: null, group: 'Riverside', isReachable: null, isDesk: true };
    const { commands } = await open({ estate: { contacts: [desk] } });
    await press('Call Riverside · 700');
    expect(dials(commands)).toMatchObject([{ type: 'phone.dial', number: '700', video: false }]);
  });
  it('takes back digit by digit, and nothing from nothing', async () => {
    await open();
    const back = '[aria-label="Delete last digit"]';
    await press(one(back));
    expect(number().value).toBe('');
    await press('7');
    await press('*');
    await press(one(back));
    expect(number().value).toBe('7');
  });
  it('lets in what is typed and pasted only as far as it is a number (D29)', async () => {
    await open();
    await type(number(), '12ab#');
    expect(number().value).toBe('12#');
    await paste(number(), 'tel:+7 (912) 345-67');
    expect(number().value).toBe('+791234567');
    await paste(number(), 'sip:1000@evil\r\nX-Evil: 1');
    expect(number().value).toBe('+791234567');
  });
  it('calls by Enter, brings back the last number by the video button, and redials', async () => {
    const { commands } = await open();
    expect(one<HTMLButtonElement>('[aria-label="Video call"]').disabled).toBe(true);
    await type(number(), '2001');
    await keyDown(number(), { key: 'Enter' });
    expect(dials(commands)).toHaveLength(1);
    expect(number().value).toBe('');
    await press(one('[aria-label="Video call"]'));
    expect(number().value).toBe('2001');
    expect(dials(commands)).toHaveLength(1);
    await press(one('[aria-label="Video call"]'));
    expect(dials(commands).at(-1)).toMatchObject({ number: '2001', video: true });
    await press('Call 2001 again');
    expect(dials(commands)).toHaveLength(3);
  });
  it('warns of the own number, and refuses to call it with an error (VALID-64, D29)', async () => {
    const { commands, alerts } = await open();
    await type(number(), '1001');
    expect(one('.keypad-about').textContent).toBe('You cannot call your own number');
    await keyDown(number(), { key: 'Enter' });
    await press('Call');
    expect([commands.length, alerts]).toEqual([0, ['interface.unable_to_call_your_number', 'interface.unable_to_call_your_number']]);
  });
  it('says why a number with too many keys cannot be called', async () => {
    await open();
    await type(number(), '1'.repeat(33));
    expect([one('.keypad-about').textContent, all('.keypad-call').length]).toEqual(['A number can have at most 32 characters', 0]);
  });
});
