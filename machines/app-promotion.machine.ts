// Keeps in order: that the mobile app is offered after sign-in, at a quiet moment, and not again once that was switched off.
// Spawned by: console, while there is an app to offer and the person has not switched the offer off.
// Asks (ports): wasClosed, saveClosed, switchOff.
// Tells (facts): asks of alerts: dialog.ask, dialog.withdraw, alert.show.
import { type AnyActorRef, enqueueActions, setup } from 'xstate';
import type { AlertsRequest } from './alerts/alerts.machine.ts';
import { aboutApp, customDialog, type Dialog, type DialogAnswered } from './alerts/dialog.ts';
import type { DeskFact } from './phone/phone-types.ts';
import { answerTimeout, parentOf, timedOut, unplugged, unpluggedAction } from './port.ts';
import { problemAlert } from './alert-requests.ts';

/** What its parent tells it. */
export type PromotionCommand =
  | DeskFact
  /** Nothing is to be offered any more: switched off elsewhere. */
  | { type: 'promotion.end' };

const offer = (link: string, replyTo: AnyActorRef): Dialog =>
  customDialog({
    title: { key: 'interface.app.title' },
    text: { key: 'interface.app.text', params: { link } },
    actions: [
      { action: 'later', label: { key: 'interface.app.later' }, tone: 'plain', cancels: true },
      { action: 'never', label: { key: 'interface.app.never' }, tone: 'plain' },
    ],
    modal: false,
    defaultAction: 'later',
    width: 'small',
    yields: true,
    about: aboutApp,
    replyTo,
  });

/** The dialog that promotes the mobile app by a QR code (clauses DIALOG-15, AUTH-16). */
export const appPromotionMachine = setup({
  types: {
    input: {} as { link: string },
    context: {} as { link: string },
    events: {} as PromotionCommand | DialogAnswered,
    emitted: {} as AlertsRequest,
  },
  actors: {
    /** Has the offer been closed since this sign-in? */
    wasClosed: unplugged<boolean>('wasClosed'),
    /** The server remembers that nothing is to be offered any more. */
    switchOff: unplugged<void>('switchOff'),
  },
  actions: {
    saveClosed: (_args) => unpluggedAction('saveClosed'),
    notify: enqueueActions(({ context, enqueue, self }, said: AlertsRequest | 'offer' | 'withdrawal') => {
      const fact: AlertsRequest =
        said === 'offer'
          ? { type: 'dialog.ask', dialog: offer(context.link, self) }
          : said === 'withdrawal'
            ? { type: 'dialog.withdraw', actorIds: [self.id] }
            : said;
      enqueue.emit(fact);
      const parent = parentOf(self);
      if (parent) enqueue.sendTo(parent, fact);
    }),
  },
  guards: {
    isClosed: (_, { closed }: { closed: boolean }) => closed,
    isNever: (_, { action }: { action: string }) => action === 'never',
  },
  delays: { answerTimeout, quietPause: 2_000 },
}).createMachine({
  id: 'appPromotion',
  context: ({ input }) => ({ link: input.link }),
  initial: 'quiet',
  on: { 'promotion.end': { target: '.over' } },
  states: {
    quiet: { after: { quietPause: 'recalling' }, on: { 'desk.busy': { target: 'busy' } } },
    busy: { on: { 'desk.quiet': { target: 'quiet' } } },
    recalling: {
      invoke: {
        id: 'wasClosed',
        src: 'wasClosed',
        onDone: [{ guard: { type: 'isClosed', params: ({ event }) => ({ closed: event.output }) }, target: 'over' }, { target: 'offering' }],
        onError: { target: 'over' },
      },
      after: { answerTimeout: 'over' },
      on: { 'desk.busy': { target: 'busy' } },
    },
    offering: {
      entry: { type: 'notify', params: 'offer' },
      exit: { type: 'notify', params: 'withdrawal' },
      on: {
        // Nothing lies before somebody who calls; the offer comes again when the desk is quiet.
        'desk.busy': { target: 'busy' },
        'dialog.answered': [
          { guard: { type: 'isNever', params: ({ event }) => event }, target: 'switchingOff' },
          { target: 'over', actions: 'saveClosed' },
        ],
      },
    },
    switchingOff: {
      invoke: {
        id: 'switchOff',
        src: 'switchOff',
        onDone: { target: 'over' },
        onError: { target: 'over', actions: { type: 'notify', params: ({ event }) => problemAlert(event.error) } },
      },
      after: { answerTimeout: { target: 'over', actions: { type: 'notify', params: problemAlert(timedOut) } } },
    },
    over: {},
  },
});
