import { afterEach, describe, expect, it } from 'vitest';
import type { SpeakerReport } from '#machines/sounds.machine.ts';
import { standForLeader } from '#src/adapters/leader.ts';
import { melodies } from '#src/adapters/melodies.ts';
import { openDesktop } from '#src/adapters/desktop.ts';
import { openOutside } from '#src/adapters/outside.ts';
import { openSpeaker } from '#src/adapters/speaker.ts';
import { settled } from '#tests/support/ports.ts';
import { notice } from '#tests/support/watch.ts';

/** The browser's locks, as all tabs of it share them. */
function fakeLocks(): LockManager {
  const queues = new Map<string, (() => void)[]>();
  const next = (name: string): void => queues.get(name)?.[0]?.();
  return {
    request: async (name: string, { signal, ifAvailable }: LockOptions, work: (lock: object | null) => Promise<void> | undefined) => {
      const line = queues.get(name) ?? [];
      queues.set(name, line);
      // A browser's locks lie in another process: none is granted at once.
      if (ifAvailable) {
        await Promise.resolve();
        if (line.length > 0) return work(null);
      }
      return new Promise<void>((resolve, reject) => {
        let held = false;
        const turn = (): void => {
          if (held) return;
          held = true;
          void Promise.resolve(work({})).then(() => {
            line.splice(line.indexOf(turn), 1);
            resolve();
            queueMicrotask(() => queues.get(name)?.[0]?.());
          });
        };
        signal?.addEventListener('abort', () => {
          if (held) return;
          line.splice(line.indexOf(turn), 1);
          reject(new DOMException('aborted', 'AbortError'));
        });
        line.push(turn);
        next(name);
      });
    },
    query: () => Promise.resolve({ held: [...queues].filter(([, line]) => line.length > 0).map(([name]) => ({ name })), pending: [] }),
  } as unknown as LockManager;
}

describe('of several tabs', () => {
  it('one leads, and when it goes the next does', async () => {
    const locks = fakeLocks();
    const tabs = [1, 2, 3].map(() => standForLeader(locks, 'x'));
    expect(tabs.map((tab) => tab.leads())).toEqual([false, false, false]);
    await Promise.all(tabs.map((tab) => tab.decided));
    expect(tabs.map((tab) => tab.leads())).toEqual([true, false, false]);
    tabs[0]?.resign();
    await settled();
    expect(tabs.map((tab) => tab.leads())).toEqual([false, true, false]);
    tabs[2]?.resign();
    tabs[1]?.resign();
    await settled();
    expect([tabs.some((tab) => tab.leads()), await tabs[0]?.isThere()]).toEqual([false, false]);
  });
  it('each leads where the browser has no locks', () => {
    expect([1, 2].map(() => standForLeader(undefined, 'x').leads())).toEqual([true, true]);
  });
});

class FakeContext {
  static tones = 0;
  static peak = 0;
  state: AudioContextState = 'suspended';
  currentTime = 0;
  destination = {};
  /** Whether the browser lets it sound: once the page was touched. */
  allowed = false;
  resume(): Promise<void> {
    if (this.allowed) this.state = 'running';
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.state = 'closed';
    return Promise.resolve();
  }
  createOscillator() {
    const node = {
      type: 'sine',
      frequency: { setValueAtTime: () => {} },
      connect: <T>(to: T) => to,
      start: () => void (FakeContext.tones += 1),
      stop: () => {},
    };
    return node;
  }
  createGain() {
    return {
      gain: { setValueAtTime: () => {}, linearRampToValueAtTime: (level: number) => void (FakeContext.peak = Math.max(FakeContext.peak, level)) },
      connect: <T>(to: T) => to,
    };
  }
}

function tab(locks: LockManager | undefined, touched = false, volume = 1) {
  const context = new FakeContext();
  context.allowed = touched;
  const page = new EventTarget();
  const reports: SpeakerReport['type'][] = [];
  let made = 0;
  const make = () => {
    made += 1;
    return context as unknown as AudioContext;
  };
  const deps = { context: make, page: page as unknown as Document, locks, volume: () => volume, touched };
  const speaker = openSpeaker(deps, 'anna', ({ type }) => reports.push(type));
  const touch = async (): Promise<void> => {
    context.allowed = true;
    page.dispatchEvent(new Event('click'));
    await settled();
  };
  return { speaker, reports, touch, context, made: () => made, open: () => speaker.send({ type: 'sound.arm' }) };
}
afterEach(() => {
  FakeContext.tones = 0;
  FakeContext.peak = 0;
});

describe('the speaker', () => {
  it('is armed by the first touch, and says when it was to sound before', async () => {
    const { speaker, reports, touch, made } = tab(fakeLocks());
    await settled();
    expect(made()).toBe(0);
    speaker.send({ type: 'sound.play', sound: 'alarm' });
    await settled();
    expect([reports, FakeContext.tones]).toEqual([['speaker.refused'], 0]);
    await touch();
    speaker.send({ type: 'sound.play', sound: 'alarm' });
    expect([reports, FakeContext.tones]).toEqual([['speaker.refused', 'speaker.ready'], melodies.alarm.length]);
  });
  it('is as loud as notifications are set; an alarm is always loud', async () => {
    const { speaker } = tab(fakeLocks(), true, 0.5);
    speaker.send({ type: 'sound.play', sound: 'notice' });
    await settled();
    expect(FakeContext.peak).toBeCloseTo(0.5 * Math.max(...melodies.notice.map(({ loud }) => loud)));
    speaker.send({ type: 'sound.play', sound: 'alarm' });
    expect(FakeContext.peak).toBeCloseTo(Math.max(...melodies.alarm.map(({ loud }) => loud)));
  });
  it('on a page that was touched is ready once it is told to be, or as soon as something is to be heard', async () => {
    const { reports, made, open } = tab(fakeLocks(), true);
    await settled();
    expect([reports, made()]).toEqual([[], 0]);
    open();
    await settled();
    expect([reports, made()]).toEqual([['speaker.ready'], 1]);
    const other = tab(fakeLocks(), true);
    other.speaker.send({ type: 'sound.play', sound: 'alarm' });
    await settled();
    expect([other.reports, FakeContext.tones]).toEqual([['speaker.ready'], melodies.alarm.length]);
    other.open();
    await settled();
    expect(other.made()).toBe(1);
  });
  it('that is being armed sounds what was asked meanwhile as soon as it is', async () => {
    const { speaker, open, reports, made } = tab(fakeLocks(), true);
    open();
    speaker.send({ type: 'sound.play', sound: 'alarm' });
    await settled();
    expect([reports, made(), FakeContext.tones]).toEqual([['speaker.ready'], 1, melodies.alarm.length]);
  });
  it('sounds once for five tabs, those that were not touched included', async () => {
    const locks = fakeLocks();
    const tabs = [true, true, false, true, false].map((touched) => tab(locks, touched));
    for (const { open } of tabs) open();
    await settled();
    for (const { speaker } of tabs) speaker.send({ type: 'sound.play', sound: 'message' });
    await settled();
    expect(FakeContext.tones).toBe(melodies.message.length);
    expect(tabs.map(({ reports }) => reports.includes('speaker.refused'))).toEqual([false, false, false, false, false]);
    tabs[0]?.speaker.close();
    await settled();
    tabs[1]?.speaker.send({ type: 'sound.play', sound: 'message' });
    expect(FakeContext.tones).toBe(2 * melodies.message.length);
  });
  it('that is closed keeps still', async () => {
    const before = tab(fakeLocks());
    await settled();
    before.speaker.close();
    await before.touch();
    expect([before.reports, before.made()]).toEqual([[], 0]);
    const after = tab(fakeLocks(), true);
    after.open();
    await settled();
    after.speaker.close();
    expect(after.context.state).toBe('closed');
  });
});

describe('notifications of the desktop', () => {
  const shown: { title: string; tag: string | undefined }[] = [];
  const focused: number[] = [];
  class FakeNotification {
    static permission: NotificationPermission = 'granted';
    static requestPermission = (): Promise<NotificationPermission> => {
      FakeNotification.permission = 'granted';
      return Promise.resolve('granted');
    };
    onclick: (() => void) | null = null;
    constructor(title: string, options?: NotificationOptions) {
      shown.push({ title, tag: options?.tag });
      setTimeout(() => this.onclick?.(), 0);
    }
    close(): void {}
  }
  afterEach(() => {
    shown.length = 0;
    FakeNotification.permission = 'granted';
  });
  const words = ({ type }: { type: string }) => ({ title: type, body: '' });
  const open = (locks: LockManager | undefined, notifications: typeof FakeNotification | undefined = FakeNotification) =>
    openOutside({ notifications: notifications as never, locks, words, focus: () => void focused.push(1) }, 'anna');

  it('R16: five tabs show one for each event', async () => {
    const locks = fakeLocks();
    const tabs = [1, 2, 3, 4, 5].map(() => open(locks));
    for (const { send } of tabs) send({ type: 'outside.show', news: [notice(1, 'alarm_enabled')] });
    await settled();
    expect(shown).toEqual([{ title: 'alarm_enabled', tag: notice(1).id }]);
    await settled();
    expect(focused).toHaveLength(1);
    tabs[0]?.close();
    await settled();
    for (const { send } of tabs.slice(1)) send({ type: 'outside.show', news: [notice(2, 'alarm_enabled')] });
    await settled();
    expect(shown).toHaveLength(2);
  });
  it('are left out without permission, and where there are none', () => {
    FakeNotification.permission = 'denied';
    open(fakeLocks()).send({ type: 'outside.show', news: [notice(1)] });
    openOutside({ notifications: undefined, locks: undefined, words, focus: () => {} }, 'anna').send({ type: 'outside.show', news: [notice(1)] });
    expect(shown).toEqual([]);
  });
  it('are asked for when the person says so', async () => {
    FakeNotification.permission = 'default';
    const desktop = openDesktop(FakeNotification);
    const heard: string[] = [];
    desktop.follow(() => heard.push(desktop.get()));
    await desktop.ask();
    expect(heard).toEqual(['granted']);
    expect(openDesktop(undefined).get()).toBe('missing');
  });
});
