import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCommonPassword } from '#server/modules/session/common-passwords.ts';
import { commonWords } from '#server/modules/session/common-words.ts';
import { openTestServer, password, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

describe('a password that everybody tries first', () => {
  it.each([
    ['a word with digits behind', 'password123'],
    ['a word with signs in the place of letters', 'P@ssw0rd2026!'],
    ['a season and a year', 'Summer-2026'],
    ['a name with digits around', '12Jennifer34'],
    ['a word over and over', 'dragondragon'],
    ['a row of digits', '1234567890'],
    ['a row of digits backwards', '0987654321'],
    ['a row of keys', 'qwertyuiop'],
    ['keys in columns', '1qaz2wsx3edc'],
    ['one sign over and over', 'aaaaaaaaaaaa'],
    ['a few digits over and over', '1212121212'],
    ['a Russian word', 'Пароль123456'],
    ['a row of Russian keys', 'йцукенгш12345'],
  ])('is known: %s', (_what, word) => {
    expect(isCommonPassword(word)).toBe(true);
  });

  it.each(['correct horse battery', 'Doorward-2026', 'kV9!rTq2mZ', 'четыре синих чайника', '8264 0917 3350'])('is not %s', (word) => {
    expect(isCommonPassword(word)).toBe(false);
  });

  it('is made of a thousand words and more', () => {
    expect(commonWords.size).toBeGreaterThan(1_000);
  });
});

describe('choosing a password', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ seed: seedWorld });
  });
  afterAll(() => server.close());
  const issuesOf = (answer: { json: () => unknown }) => (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues;

  it('refuses a common one for oneself and for others, and takes one without capitals or digits', async () => {
    const boss = await server.signIn('boss');
    const own = await boss.post('/profile/password', { old: password, new: 'Password-2026' });
    expect([own.statusCode, issuesOf(own)]).toEqual([422, [{ path: ['new'], rule: 'common_password', params: {} }]]);
    const people = await boss.get('/users?size=100');
    const guest = (people.json() as { data: { id: string; login: string }[] }).data.find(({ login }) => login === 'guest');
    const others = await boss.post(`/users/${guest?.id}/password`, { new_password: 'Password-2026' });
    expect([others.statusCode, issuesOf(others)]).toEqual([422, [{ path: ['new_password'], rule: 'common_password', params: {} }]]);
    expect((await boss.post('/profile/password', { old: password, new: 'correct horse battery' })).statusCode).toBe(200);
    expect((await server.as(null).post('/login', { login: 'boss', password: 'correct horse battery' })).statusCode).toBe(200);
  });
});
