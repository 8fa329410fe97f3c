import { describe, expect, it } from 'vitest';
import { problemIn } from '#machines/editor/related-names.ts';
import { uuid } from '#tests/support/people.ts';

const refused = (names: unknown) => ({ code: 'invalid_related', status: 422, message: 'invalid related entity sent', data: { names } });
const draft = {
  name: 'Ann',
  role: { id: uuid(1), name: 'Guest' },
  markers: [{ id: uuid(2), name: 'Pets' }],
  device_status_notify: [{ user: { id: uuid(3), name: 'Ben' }, device_offline: true }],
};

describe('a refusal because of related rows', () => {
  it.each([
    ['names them as the draft does, wherever they stand', [uuid(1), uuid(2), uuid(3)], ['Guest', 'Pets', 'Ben']],
    ['says no id', [uuid(2), uuid(99)], ['Pets']],
    ['keeps the names of a server that says names', ['Lobby', uuid(2)], ['Lobby', 'Pets']],
  ])('%s', (_name, sent, said) => expect(problemIn(refused(sent), draft)).toEqual(refused(said)));

  it('names what the server says by its ids alone', () => {
    const problem = { code: 'invalid_related', status: 422, data: { names: ['Lobby'], ids: [uuid(2), uuid(99)] } };
    expect(problemIn(problem, draft)).toMatchObject({ data: { names: ['Lobby', 'Pets'] } });
  });

  it('is what it was otherwise', () => {
    const other = { code: 'in_use', status: 409, data: { names: [uuid(1)] } };
    expect(problemIn(other, draft)).toEqual(other);
    expect(problemIn(refused(undefined), draft)).toEqual(refused([]));
    expect(problemIn(new Error('a fault'), draft)).toMatchObject({ code: 'internal' });
  });
});
