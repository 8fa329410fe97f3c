import type { AnyActorRef } from 'xstate';
import { confirmDialog, customDialog, type Dialog } from '../alerts/dialog.ts';
import type { PutAside } from './commands.ts';
import { callerName, type LineCommand } from './line.ts';
import type { CallMirror } from './mirror.ts';

/** What a question of the phone is about. */
export const [aboutLine, aboutSignOut] = ['phone.line', 'phone.signOut'] as const;

const cancel = { action: 'cancel', label: { key: 'interface.cancel' }, tone: 'plain', cancels: true } as const;

/** Whether a call can wait while another one is taken. */
export const mayWait = (current: CallMirror): boolean =>
  current.may.includes('call.hold') || (current.type === 'awaiting' && current.status === 'active');

/** An emergency: what is most likely wanted has the focus, and the same key once more agrees to it. */
const sosQuestion = (current: CallMirror, sos: CallMirror, replyTo: AnyActorRef): Dialog =>
  customDialog({
    text: { key: 'phone.ask.sos', params: { name: callerName(current), caller: callerName(sos) } },
    actions: [cancel, { action: 'hold', label: { key: 'phone.ask.hold_and_answer' }, tone: 'primary' }],
    modal: false,
    defaultAction: 'cancel',
    focus: 'hold',
    width: 'small',
    about: aboutLine,
    replyTo,
  });

/** Whom one would talk to: of several that ring, the question says which. */
const otherName = (command: LineCommand, wanted: CallMirror | undefined): string =>
  command.type === 'phone.dial' ? command.number : wanted ? callerName(wanted) : '';

/** Whether the present call may be put aside for another one (`wanted`, unless it is yet to be dialled), and how (clauses CALL-13 to CALL-16). */
export function lineQuestion(current: CallMirror, command: LineCommand, wanted: CallMirror | undefined, replyTo: AnyActorRef): Dialog {
  if (wanted && wanted.sos !== 'no' && mayWait(current)) return sosQuestion(current, wanted, replyTo);
  const params = { name: callerName(current), other: otherName(command, wanted) };
  const go = { key: command.type === 'phone.dial' ? 'phone.ask.call' : 'phone.ask.accept' };
  if (current.type === 'awaiting' && current.status === 'active')
    return confirmDialog({ text: { key: 'phone.ask.pause', params }, approve: go, about: aboutLine, replyTo });
  if (!current.may.includes('call.hold'))
    return confirmDialog({ text: { key: 'phone.ask.cancel', params }, approve: go, danger: true, about: aboutLine, replyTo });
  return customDialog({
    text: { key: 'phone.ask.end', params },
    actions: [
      cancel,
      { action: 'hold', label: { key: 'phone.ask.hold' }, tone: 'primary' },
      { action: 'approve', label: { key: 'phone.ask.hang_up' }, tone: 'danger' },
    ],
    modal: false,
    defaultAction: 'cancel',
    width: 'small',
    about: aboutLine,
    replyTo,
  });
}

/** How the present call is put aside after that answer; null: not at all. */
export function putAside(current: CallMirror, action: string): PutAside | null {
  const { speechId } = current;
  if (action === 'hold') return { speechId, how: 'hold' };
  if (action !== 'approve') return null;
  return { speechId, how: current.type === 'awaiting' && current.status === 'active' ? 'hold' : 'hangUp' };
}

/** Whether to sign out although somebody is on the line (experience 14). */
export const signOutQuestion = (current: CallMirror, replyTo: AnyActorRef): Dialog =>
  confirmDialog({
    text: { key: 'phone.ask.sign_out', params: { name: callerName(current) } },
    approve: { key: 'phone.ask.sign_out_anyway' },
    danger: true,
    about: aboutSignOut,
    replyTo,
  });
