import { act, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { uuid } from '#tests/support/people.ts';
import { openStage, part, tabs } from './support/phone-stage.tsx';

afterEach(() => void vi.useRealTimers());

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

it('doors are not there for those who may not open any', async () => {
  await openStage({ estate: { mayOpen: false } });
  expect(tabs()).toEqual(['Keypad', 'Contacts', 'Recents', 'Intercept']);
});
