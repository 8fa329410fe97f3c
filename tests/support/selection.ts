import { isFull, isShort } from './extent.ts';

const server = (...names: string[]): string[] => names.map((name) => `tests/server/${name}.test.ts`);
const browser = (...names: string[]): string[] => names.map((name) => `tests/e2e/${name}.test.ts`);

/** Hostile texts, races, kills, sleep and figures: minutes each, in files that seldom change what they find. Only `npm run test:full` runs them. */
export const fullOnly = [
  ...browser('asleep', 'foul-text', 'media-outage', 'phone-load', 'phone-outage', 'phone-races', 'steady'),
  ...server('backups-process', 'realtime-process'),
];

/**
 * Whole servers that are started, killed and left without a disk, backups, and what waits for real seconds: half of the time of all server tests.
 * CI runs them.
 */
export const notInShort = server(
  'announces-process',
  'backups',
  'backups-earlier',
  'big-lists',
  'bulk-process',
  'calls-faults',
  'devices-process',
  'disk-full',
  'import-process',
  'licence-issuer',
  'media-studio',
  'numbers-history',
  'panel-demo',
  'platform-process',
  'reminders-process',
  'simulate-process',
  'simulator',
  'simulator-stage',
  'vacuum',
);

/**
 * The browser tests of `npm test`: signing in, lists, forms, doors, alarms and calls. CI runs all of them: a file that is not named here is CI's.
 */
export const inShort = browser(
  'access',
  'alarms.story',
  'call.story',
  'devices',
  'editing',
  'entry',
  'first-day',
  'first-screen',
  'home',
  'interception.story',
  'list-pages',
  'list.story',
  'media',
  'phone-answer',
  'realtime',
  'session',
  'session.story',
  'shift',
);

/** Timed by the browser itself: nothing may run beside them. */
const timed = browser('steady', 'phone-load', 'media-outage');

/** The files of each project in this run, as vitest's `include` and `exclude`. */
export const selection = {
  server: { include: ['tests/server/**/*.test.ts'], exclude: isFull ? [] : isShort ? [...fullOnly, ...notInShort] : fullOnly },
  browser: { include: isShort ? inShort : ['tests/e2e/**/*.test.ts'], exclude: isFull ? timed : fullOnly },
  timed: { include: timed, exclude: isFull ? [] : fullOnly },
};

/** What takes longest begins first: whole servers are started, or time has to pass. */
export const longest = [
  ...server('simulator', 'simulator-stage', 'panel-demo', 'simulate-process', 'devices-process', 'platform-process', 'matrix'),
  ...server('announces-process', 'bulk-process', 'realtime-process', 'backups', 'backups-process'),
  ...browser('looks', 'looks-overlays', 'editor.story', 'alarms', 'call.story', 'phone', 'reservations', 'phone-transfer'),
];
