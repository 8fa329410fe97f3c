import { afterEach, describe, expect, it } from 'vitest';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { uuid } from '#tests/support/people.ts';
import { callOf, mirrorOf, stageNow } from '#tests/support/phone-mirrors.ts';
import { all, button, one, press } from './support/area-page.ts';
import { openStage } from './support/phone-stage.tsx';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

let stage: Awaited<ReturnType<typeof openStage>> | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});
const open = async (...options: Parameters<typeof openStage>) => (stage = await openStage(...options));

const waits = callOf({ isRinging: false, status: 'new', may: ['call.accept', 'call.hangUp'] });
const rings = callOf({ status: 'new', may: ['call.accept', 'call.decline', 'call.silence'] });
const acts = () => all<HTMLButtonElement>('.call-acts button').map((one) => one.getAttribute('aria-label') ?? one.textContent);

describe('the card of a call', () => {
  it('keeps its Answer from the first word to the ring: the same button, the first of the same row', async () => {
    const { show, commands } = await open({ mirror: mirrorOf({ calls: [waits] }) });
    const first = button('Answer');
    await show(mirrorOf({ ringing: 'call', calls: [rings] }));
    expect(button('Answer')).toBe(first);
    await press('Answer');
    expect(commands).toEqual([{ type: 'call.accept', speechId: waits.speechId, video: false }]);
    expect(acts()).toEqual(['Answer', 'Silence ringing', 'Decline']);
  });

  it('has its buttons in its lowest row, which stays in its place when more is told above it', async () => {
    const recalls = { isRecalling: true, isRinging: false, may: ['call.resume', 'call.silence'] } as const satisfies Partial<CallMirror>;
    const { show } = await open({ mirror: mirrorOf({ calls: [waits] }) });
    const lowest = () => all('.desk-calls .call > *').at(-1)?.className;
    expect(lowest()).toBe('call-acts');
    await show(mirrorOf({ calls: [callOf({ ...rings, video: true })] }));
    expect([lowest(), all('.desk-calls .picture').length]).toEqual(['call-acts', 1]);
    await show(mirrorOf({ calls: [callOf(recalls)] }));
    expect([lowest(), all('.desk-calls .call-recall').length]).toEqual(['call-acts', 1]);
  });

  it('ends a waiting call for everyone only by a second press, of a button that was not there before', async () => {
    const { commands } = await open({ mirror: mirrorOf({ calls: [waits] }) });
    expect(acts()).toEqual(['Answer', 'More']);
    await press(one('[aria-label="More"]'));
    expect(commands).toEqual([]);
    await press('End for everyone');
    expect(commands).toEqual([{ type: 'call.hangUp', speechId: waits.speechId }]);
  });

  it('says that the answer is under way where Answer stood, with the way back at the other end of the row', async () => {
    const { commands } = await open({ mirror: mirrorOf({ calls: [callOf({ ...waits, isBusy: true, awaits: 'offer', may: ['call.hangUp'] })] }) });
    expect(all('.desk-calls .call-acts > *').map(({ textContent }) => textContent)).toEqual(['Answering…', '', 'Cancel']);
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
    await open({ mirror: mirrorOf({ calls: [{ ...taken, takenByName: 'Olga Petrova' }] }) });
    expect(one('.phone-panel .call-state').textContent).toContain('Answered by Olga Petrova');
    expect(document.body.textContent).toContain('Call with Main gate ended: Answered by Olga Petrova');
  });

  it('as one has it among the contacts where the server tells a number only, else by number', async () => {
    const { show } = await open({ mirror: mirrorOf({ calls: [taken] }), estate: { contacts } });
    expect(one('.call-state').textContent).toContain('Answered by Olga P.');
    await show(mirrorOf({ calls: [{ ...taken, takenBy: '1009' }] }));
    expect(one('.call-state').textContent).toContain('Answered by 1009');
  });

  it('in Russian', async () => {
    await open({ mirror: mirrorOf({ calls: [{ ...taken, takenByName: 'Ольга Петрова' }] }), locale: 'ru' });
    expect(one('.call-state').textContent).toContain('Ответил(а) Ольга Петрова');
  });

  it('on the card that rang while the panel is closed, which stays for that; not for one that never rang here', async () => {
    const { show } = await open({ isOpen: false, mirror: mirrorOf({ ringing: 'call', calls: [callOf()] }) });
    await show(mirrorOf({ calls: [{ ...taken, takenByName: 'Olga Petrova' }] }));
    expect(one('.desk-calls .call-state').textContent).toContain('Answered by Olga Petrova');
    expect(all('.desk-calls .call-acts')).toHaveLength(0);
    await show(mirrorOf());
    await show(mirrorOf({ calls: [{ ...taken, speechId: uuid(108) }] }));
    expect(all('.desk-calls')).toHaveLength(0);
  });
});
