import { describe, expect, it } from 'vitest';
import type { EndReason } from '#machines/session/session.machine.ts';
import { composedApp } from '#tests/support/composed-app.ts';
import { anna, riverside } from '#tests/support/people.ts';

const offline = { code: 'offline' } as const;
const refused = { code: 'invalid_token' } as const;

/** The app with Anna signed in, and the ends of sessions that were told. */
async function signedIn() {
  const world = composedApp();
  const ends: EndReason[] = [];
  const session = world.the('session');
  session.on('session.ended', ({ reason }) => ends.push(reason));
  await world.ports.restoreSession.answer(anna);
  return { ...world, session, ends, console: () => world.app.getSnapshot().children.console };
}
const times = (count: number, act: () => void): void => Array.from({ length: count }).forEach(act);

describe('tokens', () => {
  it('50 requests refused at once cause one refresh, and nothing below is disturbed (S1)', async () => {
    const { session, ports, app, console: below } = await signedIn();
    const before = below();
    times(50, () => session.send({ type: 'token.rejected' }));
    expect(ports.refreshTokens.asked).toHaveLength(1);
    expect(session.getSnapshot().hasTag('ready')).toBe(false);
    await ports.refreshTokens.answer(undefined);
    expect(session.getSnapshot().hasTag('ready')).toBe(true);
    expect(app.getSnapshot().value).toBe('signedIn');
    expect(below()).toBe(before);
  });

  it('a slow refresh is asked once, however many are refused meanwhile (S2)', async () => {
    const { session, ports, clock } = await signedIn();
    session.send({ type: 'token.rejected' });
    clock.increment(5_000);
    times(50, () => session.send({ type: 'token.rejected' }));
    expect(ports.refreshTokens.asked).toHaveLength(1);
  });

  it.each([offline, { code: 'internal', status: 500 }, { code: 'unavailable' }, { code: 'timeout' }, { code: 'too_many_requests' }] as const)(
    'a refresh that fails by $code keeps the session and is tried again (S4)',
    async (problem) => {
      const { session, ports, clock, ends, forgotten, console: below } = await signedIn();
      session.send({ type: 'token.rejected' });
      for (let round = 1; round <= 10; round += 1) {
        await ports.refreshTokens.refuse(problem);
        expect(session.getSnapshot().hasTag('unreachable')).toBe(true);
        expect(session.getSnapshot().context.problem).toEqual(problem);
        clock.increment(4_000);
        expect(ports.refreshTokens.asked).toHaveLength(round + 1);
      }
      await ports.refreshTokens.answer(undefined);
      expect(session.getSnapshot().value).toEqual({ signedIn: 'current' });
      expect(session.getSnapshot().context.problem).toBeNull();
      expect([ends, forgotten(), below()?.getSnapshot().status]).toEqual([[], 0, 'active']);
    },
  );

  it('a refresh that never answers is given up and tried again', async () => {
    const { session, ports, clock } = await signedIn();
    session.send({ type: 'token.rejected' });
    clock.increment(45_000);
    expect(session.getSnapshot().value).toEqual({ refreshing: 'waiting' });
    expect(ports.refreshTokens.waiting()).toBe(0);
  });

  it('a refused refresh ends the session once, forgets the tokens and takes all below along (S3)', async () => {
    const { session, ports, app, ends, forgotten, console: below } = await signedIn();
    times(50, () => session.send({ type: 'token.rejected' }));
    await ports.refreshTokens.refuse(refused);
    times(50, () => session.send({ type: 'token.rejected' }));
    expect([ends, forgotten(), ports.refreshTokens.asked.length]).toEqual([['expired'], 1, 1]);
    expect(session.getSnapshot().context).toMatchObject({ profile: null, notice: 'expired' });
    expect([app.getSnapshot().value, below()]).toEqual(['signedOut', undefined]);
  });
});

describe('the profile', () => {
  it('is read once at a time, however many answers say it is stale', async () => {
    const { session, ports } = await signedIn();
    times(20, () => session.send({ type: 'profile.stale' }));
    expect(ports.loadProfile.asked).toHaveLength(1);
    await ports.loadProfile.answer({ ...anna, version: '2' });
    session.send({ type: 'profile.stale' });
    expect(ports.loadProfile.asked).toHaveLength(2);
  });

  it('reaches the console, which goes on as it was', async () => {
    const { session, ports, console: below } = await signedIn();
    const before = below();
    session.send({ type: 'profile.stale' });
    await ports.loadProfile.answer({ ...anna, name: 'Anna B.', version: '2' });
    expect(below()?.getSnapshot().context.profile.name).toBe('Anna B.');
    expect(below()).toBe(before);
  });

  it('that cannot be read leaves everything as it is', async () => {
    const { session, ports, ends } = await signedIn();
    session.send({ type: 'profile.stale' });
    await ports.loadProfile.refuse(offline);
    expect(session.getSnapshot().value).toEqual({ signedIn: 'current' });
    expect([session.getSnapshot().context.profile, ends]).toEqual([anna, []]);
  });

  it('being read when the token expires is given up, and read at the next sign that it is stale', async () => {
    const { session, ports } = await signedIn();
    session.send({ type: 'profile.stale' });
    session.send({ type: 'token.rejected' });
    expect(ports.loadProfile.waiting()).toBe(0);
    await ports.refreshTokens.answer(undefined);
    session.send({ type: 'profile.stale' });
    expect(ports.loadProfile.asked).toHaveLength(2);
  });

  it('as changed by the person wins over one that is still being read', async () => {
    const { session, ports } = await signedIn();
    session.send({ type: 'profile.stale' });
    session.send({ type: 'profile.replace', profile: { ...anna, name: 'Newest' } });
    expect(ports.loadProfile.waiting()).toBe(0);
    expect(session.getSnapshot().context.profile?.name).toBe('Newest');
  });
});

describe('signing in and out', () => {
  const signIn = { type: 'session.signIn', login: 'anna', password: 'secret', rememberUser: false } as const;

  it('a sign-in slower than 3 s is a timeout; the button works, and the late answer changes nothing (S21)', async () => {
    const { the, ports, clock } = composedApp();
    const session = the('session');
    await ports.restoreSession.answer(null);
    session.send(signIn);
    session.send(signIn);
    clock.increment(2_999);
    expect(session.getSnapshot().hasTag('busy')).toBe(true);
    clock.increment(1);
    expect(session.getSnapshot().context.problem).toEqual({ code: 'timeout' });
    expect(session.getSnapshot().can(signIn)).toBe(true);
    expect(ports.signIn.asked).toHaveLength(1);
    await ports.signIn.answer({ projects: [riverside] });
    expect([session.getSnapshot().value, ports.adoptProject.asked]).toEqual(['signedOut', []]);
  });

  it('the password is nowhere once it was sent', async () => {
    const { the, ports } = composedApp();
    await ports.restoreSession.answer(null);
    the('session').send(signIn);
    expect(JSON.stringify(the('session').getSnapshot().context)).not.toContain('secret');
    expect(ports.signIn.asked).toEqual([{ login: 'anna', password: 'secret', rememberUser: false }]);
  });

  it('signing out ends at once here, waits two seconds at most for the server, and is told to the other tabs', async () => {
    const { session, clock, ends, commands, app } = await signedIn();
    session.send({ type: 'session.signOut' });
    expect([ends, app.getSnapshot().value]).toEqual([['signedOut'], 'signedOut']);
    expect(session.getSnapshot().matches('signingOut')).toBe(true);
    clock.increment(2_000);
    expect(session.getSnapshot().value).toBe('signedOut');
    expect(commands).toEqual([{ type: 'tabs.notifySignedOut' }]);
  });

  it('signing out everywhere that fails says so', async () => {
    const { session, ports } = await signedIn();
    session.send({ type: 'session.signOutEverywhere' });
    await ports.endSession.refuse(offline);
    expect(ports.endSession.asked).toEqual([{ everywhere: true }]);
    expect(session.getSnapshot().context.problem).toEqual(offline);
  });

  it('signing out in another tab ends this one, even in the middle of a refresh', async () => {
    const { session, ports, fromOtherTab, ends, app, forgotten } = await signedIn();
    session.send({ type: 'token.rejected' });
    fromOtherTab({ type: 'tab.signedOut' });
    expect([ends, app.getSnapshot().value, forgotten(), ports.refreshTokens.waiting()]).toEqual([['elsewhere'], 'signedOut', 1, 0]);
  });

  it('signing in in another tab signs this one in', async () => {
    const { the, ports, fromOtherTab, app, commands } = composedApp();
    await ports.restoreSession.answer(null);
    fromOtherTab({ type: 'tab.signedIn' });
    await ports.restoreSession.answer(anna);
    expect([the('session').getSnapshot().value, app.getSnapshot().value, commands]).toEqual([{ signedIn: 'current' }, 'signedIn', []]);
  });

  it('a start without network waits for it instead of asking to sign in', async () => {
    const { the, ports, clock } = composedApp();
    await ports.restoreSession.refuse(offline);
    await ports.recallProfile.answer(null);
    expect(the('session').getSnapshot().value).toEqual({ restoring: 'waiting' });
    clock.increment(4_000);
    await ports.restoreSession.answer(anna);
    expect(the('session').getSnapshot().hasTag('open')).toBe(true);
  });

  it('a start without network opens what was seen last, and asks for the profile until the server answers', async () => {
    const { the, ports, clock } = composedApp();
    const seen = '2026-03-09T08:00:00.000Z';
    await ports.restoreSession.refuse(offline);
    await ports.recallProfile.answer({ profile: anna, seenAt: seen });
    const session = the('session');
    expect([session.getSnapshot().hasTag('ready'), session.getSnapshot().context.seenAt]).toEqual([true, seen]);
    clock.increment(10_000);
    await ports.loadProfile.refuse(offline);
    expect(session.getSnapshot().context).toMatchObject({ profile: anna, seenAt: seen });
    clock.increment(10_000);
    await ports.loadProfile.answer({ ...anna, version: '2' });
    expect(session.getSnapshot().context).toMatchObject({ profile: { version: '2' }, seenAt: null });
  });

  it('of several answers of before, the oldest says from when on the page may be outdated', async () => {
    const { session } = await signedIn();
    for (const day of ['08', '07', '09']) session.send({ type: 'answer.recalled', seenAt: `2026-03-${day}T08:00:00.000Z` });
    expect(session.getSnapshot().context.seenAt).toBe('2026-03-07T08:00:00.000Z');
  });
});
