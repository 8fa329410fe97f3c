import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { uuid } from '#tests/support/people.ts';
import { callOf, mirrorOf, pastCall, stageNow } from '#tests/support/phone-mirrors.ts';
import { buttonNames, callCard, openStage } from './support/phone-stage.tsx';

const waits = callOf({ isRinging: false, status: 'new', may: ['call.accept', 'call.hangUp'] });
const rings = callOf({ status: 'new', may: ['call.accept', 'call.decline', 'call.silence'] });
const answer = (): HTMLElement => within(callCard()).getByRole('button', { name: 'Answer' });

describe('the card of a call', () => {
  it('keeps its Answer from the first word to the ring: the same button, the first of the same row', async () => {
    const { show, press, commands } = await openStage({ mirror: mirrorOf({ calls: [waits] }) });
    const first = answer();
    await show(mirrorOf({ ringing: 'call', calls: [rings] }));
    expect(answer()).toBe(first);
    await press('Answer');
    expect(commands).toEqual([{ type: 'call.accept', speechId: waits.speechId, video: false }]);
    expect(buttonNames(callCard())).toEqual(['Answer', 'Silence ringing', 'Decline']);
  });

  it('has its buttons in its lowest row, which stays in its place when more is told above it', async () => {
    const recalls = { isRecalling: true, isRinging: false, may: ['call.resume', 'call.silence'] } as const satisfies Partial<CallMirror>;
    const { show } = await openStage({ mirror: mirrorOf({ calls: [waits] }) });
    const isLowest = (button: HTMLElement) => callCard().lastElementChild?.contains(button);
    expect(isLowest(answer())).toBe(true);
    await show(mirrorOf({ calls: [callOf({ ...rings, video: true })] }));
    expect([isLowest(answer()), within(callCard()).getAllByRole('figure').length]).toEqual([true, 1]);
    await show(mirrorOf({ calls: [callOf(recalls)] }));
    expect(isLowest(within(callCard()).getByRole('button', { name: 'Take' }))).toBe(true);
    expect(within(callCard()).getByText(/^On hold too long/)).toBeTruthy();
  });

  it('ends a waiting call for everyone only by a second press, of a button that was not there before', async () => {
    const { press, commands } = await openStage({ mirror: mirrorOf({ calls: [waits] }) });
    expect(buttonNames(callCard())).toEqual(['Answer', 'More']);
    await press('More');
    expect(commands).toEqual([]);
    await press('End for everyone');
    expect(commands).toEqual([{ type: 'call.hangUp', speechId: waits.speechId }]);
  });

  it('of a talk that a reload cut short says so, and offers to rejoin it', async () => {
    const cut = callOf({ status: 'processed_paused', isRinging: false, isRejoin: true, may: ['call.resume'] });
    const { press, commands } = await openStage({ mirror: mirrorOf({ calls: [cut] }) });
    expect(within(callCard()).getByText('You were in this call')).toBeTruthy();
    await press('Rejoin');
    expect(commands).toEqual([{ type: 'call.resume', speechId: cut.speechId }]);
  });

  it('says that the answer is under way where Answer stood, with the way back at the other end of the row', async () => {
    const answering = callOf({ ...waits, isBusy: true, awaits: 'offer', may: ['call.hangUp'] });
    const { press, commands } = await openStage({ mirror: mirrorOf({ calls: [answering] }) });
    const cancel = within(callCard()).getByRole('button', { name: 'Cancel' });
    const row = [...(cancel.parentElement?.children ?? [])];
    expect(row.map(({ textContent }) => textContent)).toEqual(['Answering…', '', 'Cancel']);
    await press('Cancel');
    expect(commands.map(({ type }) => type)).toEqual(['call.hangUp']);
  });
});

describe('who has answered is said by name', () => {
  const taken = callOf({ status: 'destroyed', isRinging: false, endedAt: stageNow, endReason: 'answeredElsewhere', takenBy: '1002', may: [] });
  const contacts: Contact[] = [
    {
      name: 'Olga P.',
      number: '1002',
      title: null,
      user: { id: uuid(50), name: 'Olga P.', description: null },
      group: null,
      isReachable: true,
      isDesk: false,
    },
  ];

  it('on the card in the panel, as the server tells it', async () => {
    await openStage({ mirror: mirrorOf({ calls: [{ ...taken, takenByName: 'Olga Petrova' }] }) });
    const panel = within(screen.getByRole('complementary', { name: 'Phone' }));
    expect(panel.getByRole('listitem', { name: 'Main gate' }).textContent).toContain('Answered by Olga Petrova');
    expect(screen.getByText('Call with Main gate ended: Answered by Olga Petrova').getAttribute('role')).toBe('status');
  });

  it('as one has it among the contacts where the server tells a number only, else by number', async () => {
    const { show } = await openStage({ mirror: mirrorOf({ calls: [taken] }), estate: { contacts } });
    expect(callCard().textContent).toContain('Answered by Olga P.');
    await show(mirrorOf({ calls: [{ ...taken, takenBy: '1009' }] }));
    expect(callCard().textContent).toContain('Answered by 1009');
  });

  it('in Russian', async () => {
    await openStage({ mirror: mirrorOf({ calls: [{ ...taken, takenByName: 'Ольга Петрова' }] }), locale: 'ru' });
    expect(callCard().textContent).toContain('Кто ответил: Ольга Петрова');
  });

  it('on the card that rang while the panel is closed, which stays for that; not for one that never rang here', async () => {
    const { show } = await openStage({ isOpen: false, mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    await show(mirrorOf({ calls: [{ ...taken, takenByName: 'Olga Petrova' }] }));
    const calls = within(screen.getByRole('region', { name: 'Calls' }));
    expect(calls.getByRole('listitem', { name: 'Main gate' }).textContent).toContain('Answered by Olga Petrova');
    expect(within(callCard()).queryByRole('button')).toBeNull();
    await show(mirrorOf());
    await show(mirrorOf({ calls: [{ ...taken, speechId: uuid(108) }] }));
    expect(screen.queryByRole('region', { name: 'Calls' })).toBeNull();
  });
});

describe('who is expected', () => {
  const visitor = (name: string, group: string | null) => ({
    name,
    guestType: 'guest',
    group: group && { id: uuid(60), name: group, path: [group] },
  });

  it('is told on the card before one answers', async () => {
    const callVisitors = () => ({ visitors: [visitor('Anna Weber', 'Flat 12'), visitor('Courier', null)], total: 4 });
    const { show } = await openStage({ mirror: mirrorOf({ ringing: 'call', calls: [rings] }), answers: { callVisitors } });
    expect(await within(callCard()).findByText('Expected visitors: Anna Weber (Flat 12), Courier +2')).toBeTruthy();
    await show(mirrorOf({ calls: [{ ...rings, isRinging: false, status: 'paused' }] }));
    expect(within(callCard()).queryByText(/Expected visitors/)).toBeNull();
  });

  it('is nothing where nobody is, or where it cannot be told', async () => {
    const { show } = await openStage({
      mirror: mirrorOf({ ringing: 'call', calls: [rings] }),
      answers: { callVisitors: () => ({ visitors: [], total: 0 }) },
    });
    expect(within(callCard()).queryByText(/Expected visitors/)).toBeNull();
    await show(mirrorOf());
  });
});

describe('what is known before one answers (experience.md 7)', () => {
  const flat: Contact = {
    name: 'Flat 12',
    number: '1012',
    title: null,
    user: { id: uuid(12), name: 'Flat 12', description: 'Ring twice: hard of hearing' },
    group: null,
    isReachable: true,
    isDesk: false,
  };

  it('is what is written down about whom it is for, and the last three calls from there, on the card that rings alone', async () => {
    const call = callOf({ ...rings, callee: '1012' });
    const calls = [
      pastCall(1, { from: { number: '2999', name: 'Main gate' } }),
      ...[2, 3, 4, 5].map((at) => pastCall(at, { from: { number: call.number, name: 'Main gate' } })),
    ];
    const { show } = await openStage({
      mirror: mirrorOf({ ringing: 'call', calls: [call] }),
      estate: { contacts: [flat], recents: { calls, total: 5 } },
    });
    const card = within(callCard());
    expect(await card.findByText('Ring twice: hard of hearing')).toBeTruthy();
    expect(card.getByText('For Flat 12 · 1012')).toBeTruthy();
    expect(within(await card.findByRole('list', { name: 'Previous calls' })).getAllByRole('listitem')).toHaveLength(3);
    await show(mirrorOf({ calls: [{ ...call, isRinging: false, status: 'active' }] }));
    expect(within(callCard()).queryByRole('list', { name: 'Previous calls' })).toBeNull();
  });
});
