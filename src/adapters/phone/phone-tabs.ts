import type { PhoneCommand } from '#machines/phone/commands.ts';
import type { PhoneMirror } from '#machines/phone/mirror.ts';
import type { TabsCommand, TabsReport } from '#machines/phone/ports.ts';
import type { Channel } from '../token-store.ts';

type Word = { kind: 'greet' } | { kind: 'mirror'; mirror: PhoneMirror } | { kind: 'command'; command: PhoneCommand };
const isWord = (value: unknown): value is Word => typeof value === 'object' && value !== null && 'kind' in value;

interface Deps {
  /** Undefined where the browser has none: on plain http beyond this machine. */
  locks: Pick<LockManager, 'request'> | undefined;
  openChannel: (name: string) => Channel & { close: () => void };
}

interface Candidate {
  own: (lock: Lock | null) => Promise<void> | undefined;
  /** Another tab has it. Answers whether this one still waits for it. */
  outvoted: () => boolean;
  signal: AbortSignal;
}
/** Stands for the lock of a number: owns it at once where it is free, else when its turn comes. */
async function stand(locks: Pick<LockManager, 'request'>, name: string, { own, outvoted, signal }: Candidate): Promise<void> {
  let isFree = false;
  await locks.request(name, { ifAvailable: true }, (lock) => {
    isFree = lock !== null;
    return own(lock);
  });
  if (!isFree && outvoted()) await locks.request(name, { signal }, own);
}

/** The tabs of one number: the first to hold the lock owns the phone, the others mirror it and stand in the queue for it. */
export function openPhoneTabs({ locks, openChannel }: Deps, number: string, report: (fact: TabsReport) => void) {
  const name = `doorward-phone-${number}`;
  const channel = openChannel(name);
  const gone = new AbortController();
  let release: (() => void) | undefined;
  let isOver = false;

  const say = (word: Word): void => channel.postMessage(word);
  const own = (lock: Lock | null): Promise<void> | undefined => {
    if (!lock || isOver) return;
    return new Promise((resolve) => {
      release = resolve;
      report({ type: 'tabs.elected' });
    });
  };
  channel.onmessage = ({ data }: MessageEvent) => {
    if (!isWord(data)) return;
    const owns = release !== undefined;
    if (data.kind === 'mirror' && !owns) report({ type: 'tabs.mirrored', mirror: data.mirror });
    if (data.kind === 'command' && owns) report({ type: 'tabs.commanded', command: data.command });
    if (data.kind === 'greet' && owns) report({ type: 'tabs.greeted' });
  };
  const outvoted = (): boolean => {
    if (isOver) return false;
    report({ type: 'tabs.outvoted' });
    say({ kind: 'greet' });
    return true;
  };
  // A lock that is asked for in vain, because the tab leaves, is no fault.
  if (locks) void stand(locks, name, { own, outvoted, signal: gone.signal }).catch(() => {});
  else queueMicrotask(() => void (isOver || report({ type: 'tabs.alone' })));

  return {
    send: (command: TabsCommand): void =>
      say(command.type === 'tabs.mirror' ? { kind: 'mirror', mirror: command.mirror } : { kind: 'command', command: command.command }),
    close: (): void => {
      isOver = true;
      channel.close();
      gone.abort();
      release?.();
    },
  };
}
