import { describe, expect, it } from 'vitest';
import type { CallRequest } from '#machines/form/form.machine.ts';
import type { ReaderReport } from '#machines/enrolment.machine.ts';
import type { Enrolment } from '#models/enrolment.ts';
import type { Problem } from '#models/problem.ts';
import { openReader } from '#src/adapters/enrolment.ts';

const id = '00000000-0000-4000-8000-000000000001';
const tick = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
const lost: Problem = { code: 'offline' };

/** A server that answers from a list, the last answer again and again. */
function stage(answers: readonly (Enrolment | Problem)[], begin: () => Promise<unknown> = () => Promise.resolve({ id, seconds: 30 })) {
  const [asked, said]: [string[], ReaderReport[]] = [[], []];
  const left = [...answers];
  const runCall = ({ call }: CallRequest): Promise<unknown> => {
    asked.push(call);
    if (call === 'beginEnrolment') return begin();
    if (call === 'cancelEnrolment') return Promise.resolve(null);
    const next = left.shift();
    if (!next) return new Promise(() => undefined);
    return 'code' in next ? Promise.reject(next) : Promise.resolve(next);
  };
  const reader = openReader({ runCall, wait: () => Promise.resolve() }, (report) => said.push(report), { device: id });
  return { asked, said, reader };
}

describe('the way to a reader', () => {
  it('asks again while nobody has come, and hands over the card', async () => {
    const card = { type: 'card', value: '00AACBDE', known: null } as const;
    const { said, asked, reader } = stage([{ state: 'waiting' }, { state: 'waiting' }, { state: 'read', card }]);
    await tick();
    expect(said).toEqual([
      { type: 'reader.armed', seconds: 30 },
      { type: 'reader.presented', card },
    ]);
    reader.close();
    expect(asked).not.toContain('cancelEnrolment');
  });

  it('asks again where an answer was lost, and gives up where the server refuses', async () => {
    const over = stage([lost, lost, { state: 'over' }]);
    await tick();
    expect(over.said.at(-1)).toEqual({ type: 'reader.silent' });
    const refused = stage([{ code: 'not_found' }]);
    await tick();
    expect(refused.said.at(-1)).toEqual({ type: 'reader.refused', problem: { code: 'not_found' } });
    const gone = stage(Array.from({ length: 9 }, () => lost));
    await tick();
    expect(gone.said.at(-1)).toEqual({ type: 'reader.refused', problem: lost });
  });

  it('says why the reader cannot be had', async () => {
    const { said } = stage([], () => Promise.reject({ code: 'reader_busy' } satisfies Problem));
    await tick();
    expect(said).toEqual([{ type: 'reader.refused', problem: { code: 'reader_busy' } }]);
  });

  it('lets go when it is closed, also where it had not begun to wait', async () => {
    const waiting = stage([]);
    await tick();
    waiting.reader.close();
    expect(waiting.asked.at(-1)).toBe('cancelEnrolment');
    let begun: (answer: unknown) => void = () => undefined;
    const early = stage([], () => new Promise((done) => (begun = done)));
    early.reader.close();
    begun({ id, seconds: 30 });
    await tick();
    expect([early.said, early.asked]).toEqual([[], ['beginEnrolment', 'cancelEnrolment']]);
  });
});
