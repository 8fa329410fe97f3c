import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { dials, openStage } from './support/phone-stage.tsx';
import { descriptionOf } from './support/user.ts';

const number = (): HTMLInputElement => screen.getByRole('textbox', { name: 'Number' });
const callButton = () => screen.queryByRole('button', { name: 'Call' });

describe('the keypad', () => {
  it('has its twelve keys and calls only a number', async () => {
    const { commands, press } = await openStage();
    const keys = within(screen.getByRole('group', { name: 'Keys' })).getAllByRole('button');
    expect(keys.map(({ textContent }) => textContent)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']);
    expect(callButton()).toBeNull();
    await press('2');
    await press('0');
    expect(number().value).toBe('20');
    await press('Call');
    expect(dials(commands)).toMatchObject([{ type: 'phone.dial', number: '20', video: false }]);
  });
  it('has a button for the front desk', async () => {
    const desk = { name: 'Riverside', number: '700', title: null, user: null, group: 'Riverside', isReachable: null, isDesk: true };
    const { commands, press } = await openStage({ estate: { contacts: [desk] } });
    await press('Call Riverside · 700');
    expect(dials(commands)).toMatchObject([{ type: 'phone.dial', number: '700', video: false }]);
  });
  it('takes back digit by digit, and nothing from nothing', async () => {
    const { press } = await openStage();
    await press('Delete last digit');
    expect(number().value).toBe('');
    await press('7');
    await press('Star');
    await press('Delete last digit');
    expect(number().value).toBe('7');
  });
  it('lets in what is typed and pasted only as far as it is a number (D29)', async () => {
    const { user } = await openStage();
    await user.type(number(), '12ab#');
    expect(number().value).toBe('12#');
    await user.paste('tel:+7 (912) 345-67');
    expect(number().value).toBe('+791234567');
    await user.paste('sip:1000@evil\r\nX-Evil: 1');
    expect(number().value).toBe('+791234567');
  });
  it('calls by Enter, brings back the last number by the video button, and redials', async () => {
    const { commands, press, user } = await openStage();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Video call' }).disabled).toBe(true);
    await user.type(number(), '2001{Enter}');
    expect(dials(commands)).toHaveLength(1);
    expect(number().value).toBe('');
    await press('Video call');
    expect(number().value).toBe('2001');
    expect(dials(commands)).toHaveLength(1);
    await press('Video call');
    expect(dials(commands).at(-1)).toMatchObject({ number: '2001', video: true });
    await press('Call 2001 again');
    expect(dials(commands)).toHaveLength(3);
  });
  it('warns of the own number, and refuses to call it with an error (VALID-64, D29)', async () => {
    const { commands, alerts, press, user } = await openStage();
    await user.type(number(), '1001');
    expect(descriptionOf(number())).toEqual(['You cannot call your own number']);
    await user.keyboard('{Enter}');
    await press('Call');
    expect([commands.length, alerts]).toEqual([0, ['interface.unable_to_call_your_number', 'interface.unable_to_call_your_number']]);
  });
  it('says why a number with too many keys cannot be called', async () => {
    const { user } = await openStage();
    await user.type(number(), '1'.repeat(33));
    expect([descriptionOf(number()), callButton()]).toEqual([['A number can have at most 32 characters'], null]);
  });
});
