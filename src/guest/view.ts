import type { SnapshotFrom } from 'xstate';
import type { guestMachine } from '#machines/guest.machine.ts';
import type { GuestPage } from '#models/guest-access.ts';
import type { Problem } from '#models/problem.ts';
import { momentHere } from '#models/time.ts';
import { element } from './element.ts';
import { onHold } from './hold.ts';
import { passAddress } from './requests.ts';
import type { Words } from './texts.ts';

type Snapshot = SnapshotFrom<typeof guestMachine>;
type Send = (event: { type: 'page.retry' } | { type: 'door.open'; device: string }) => void;
type Door = GuestPage['doors'][number];

/** A problem in the visitor's words: the reason where the server gave one, else the code. */
export function sayProblem({ t, has }: Words, { code, data }: Problem): string {
  const reason = data !== null && typeof data === 'object' && 'reason' in data ? String(data.reason) : '';
  if (has(`guest.reasons.${reason}`)) return t(`guest.reasons.${reason}`);
  return has(`guest.problems.${code}`) ? t(`guest.problems.${code}`) : t('guest.problems.internal');
}

function codeOf({ t }: Words, { code }: GuestPage): HTMLElement | null {
  if (!code) return null;
  const holder = element('section', { class: 'card code' }, element('p', {}, t(`guest.code.${code.type}`)));
  if (code.type === 'access_code') holder.append(element('p', { class: 'digits' }, code.value));
  else void import('./code.ts').then(({ codePicture }) => holder.append(codePicture(code.value, t('guest.code.picture'))));
  return holder;
}

const walletOf = ({ t }: Words, { wallet }: GuestPage): HTMLElement | null =>
  wallet ? element('a', { class: 'wallet', href: passAddress() }, t('guest.wallet')) : null;

const validity = ({ t, locale }: Words, { from, to, passes_left: left }: GuestPage, now: number): string[] => [
  ...(from && Date.parse(from) > now ? [t('guest.from', { time: momentHere(from, locale) })] : []),
  ...(to ? [t('guest.until', { time: momentHere(to, locale) })] : []),
  ...(left === null ? [] : [t('guest.passes', { count: left })]),
];

/** The page of a key that opens something; answers how it is told what goes on. */
function shown(words: Words, page: GuestPage, send: Send): { whole: Node[]; update: (snapshot: Snapshot) => void } {
  const { t } = words;
  const said = element('p', { class: 'said', role: 'status', 'aria-live': 'assertive' });
  const facts = element('p', { class: 'facts' });
  const buttons = page.doors.map((door) => [door, doorButton(words, door, send)] as const);
  const doors = element('section', { class: 'doors', 'aria-label': t('guest.doors') }, ...buttons.map(([, button]) => button));
  const whole = [
    element('header', {}, element('p', { class: 'project' }, page.project), element('h1', {}, page.name)),
    page.message ? element('p', { class: 'card message' }, page.message) : null,
    facts,
    page.doors.length > 0 ? element('p', { class: 'how' }, t('guest.hold')) : element('p', { class: 'card' }, t('guest.no_doors')),
    doors,
    said,
    codeOf(words, page),
    walletOf(words, page),
  ].filter((node) => node !== null);
  return {
    whole,
    update: (snapshot) => {
      const { device, problem, page: present } = snapshot.context;
      facts.textContent = validity(words, present ?? page, Date.now()).join(' · ');
      const outcome = (['opening', 'opened', 'unconfirmed', 'refused'] as const).find((tag) => snapshot.hasTag(tag));
      const name = page.doors.find(({ id }) => id === device)?.name ?? '';
      said.textContent =
        outcome === 'refused' && problem ? sayProblem(words, problem) : outcome ? t(`guest.outcomes.${outcome}`, { door: name }) : '';
      said.dataset['tone'] = outcome ?? '';
      for (const [door, button] of buttons) {
        button.disabled = !snapshot.can({ type: 'door.open', device: door.id });
        button.dataset['outcome'] = door.id === device ? (outcome ?? '') : '';
      }
    },
  };
}

function doorButton({ t }: Words, { id, name, place }: Door, send: Send): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'door', title: t('guest.hold') },
    element('span', { class: 'door-name' }, name),
    place ? element('span', { class: 'door-place' }, place) : null,
  );
  onHold(button, () => send({ type: 'door.open', device: id }));
  return button;
}

const closed = (words: Words, problem: Problem | null, send: Send, again: boolean): Node[] => {
  const { t } = words;
  const button = element('button', { type: 'button', class: 'retry' }, t('guest.retry'));
  button.addEventListener('click', () => send({ type: 'page.retry' }));
  return [
    element('h1', {}, t('guest.title')),
    element('p', { class: 'card refused', role: 'alert' }, problem ? sayProblem(words, problem) : t('guest.problems.internal')),
    ...(again ? [button] : []),
  ];
};

/** Draws the page and keeps it as the machine says. */
export function drawGuest(root: HTMLElement, words: Words, send: Send): (snapshot: Snapshot) => void {
  let drawn: string | null = null;
  let update: ((snapshot: Snapshot) => void) | null = null;
  const draw = (key: string, make: () => Node[]): void => {
    if (drawn === key) return;
    drawn = key;
    root.replaceChildren(...make());
  };
  return (snapshot) => {
    const { page, problem } = snapshot.context;
    if (snapshot.hasTag('shown') && page) {
      draw('shown', () => {
        const parts = shown(words, page, send);
        ({ update } = parts);
        return parts.whole;
      });
      update?.(snapshot);
    } else if (snapshot.hasTag('loading')) draw('loading', () => [element('p', { class: 'facts', role: 'status' }, words.t('guest.loading'))]);
    else draw(snapshot.hasTag('closed') ? 'closed' : 'unreachable', () => closed(words, problem, send, snapshot.hasTag('unreachable')));
  };
}
