import type { AnyActorRef } from 'xstate';

/** A text to be looked up by the view: its locale key and what fills it. */
export interface Text {
  key: string;
  params?: Readonly<Record<string, string | number>>;
}

/** One button of a dialog; `cancels` marks the one that changes nothing. */
interface DialogAction {
  action: string;
  label: Text;
  tone?: 'primary' | 'danger' | 'plain';
  cancels?: boolean;
}

/** A question to the person. `about` comes back with the answer, so that the asker knows which of its questions it was. */
export interface Dialog {
  kind: 'confirm' | 'custom';
  text: Text;
  title?: Text;
  actions: readonly DialogAction[];
  /** A modal dialog is answered by its buttons only; any other also by Escape or a click beside it, with `defaultAction`. */
  modal: boolean;
  defaultAction?: string;
  /** The answer that the focus starts on, where it is not the first. */
  focus?: string;
  width?: 'small' | 'normal' | 'wide';
  /** Waits until nothing else is asked, and makes room for any other question. */
  yields?: boolean;
  about: string;
  /** Who is told the answer; without it whoever watches for `about`. */
  replyTo?: AnyActorRef;
}

/** What the offer of the mobile app is about, which is drawn with a QR code. */
export const aboutApp = 'app.promotion';

/** The answer that the asker gets: the chosen action, or `dismissed` where a dialog was closed without one. */
export interface DialogAnswered {
  type: 'dialog.answered';
  id: string;
  action: string;
  about: string;
}

/** A dialog that was put together wrongly; a mistake of the program. */
export class DialogError extends Error {}

const isAction = (value: unknown): value is DialogAction => {
  const { action, label } = (value ?? {}) as Partial<DialogAction>;
  return typeof action === 'string' && action !== '' && typeof label?.key === 'string' && label.key !== '';
};

type Definition = Omit<Dialog, 'kind' | 'modal' | 'about'> & { modal?: boolean; about?: string };

/**
 * A dialog with its own text and buttons (spec A2.4, B8).
 * @throws DialogError when text, actions or handler (`replyTo`) are missing, an action is corrupted or double, or a
 * non-modal dialog names no default action among its own.
 */
export function customDialog(definition: Partial<Definition>): Dialog {
  const { text, actions, replyTo, modal = true, about = '', defaultAction } = definition;
  if (!text?.key) throw new DialogError('a dialog needs a text');
  if (!actions || actions.length === 0) throw new DialogError('a dialog needs actions');
  if (!replyTo) throw new DialogError('a dialog needs a handler (replyTo)');
  if (!actions.every(isAction) || new Set(actions.map(({ action }) => action)).size < actions.length)
    throw new DialogError('the actions of a dialog are corrupted');
  if (!modal && defaultAction === undefined) throw new DialogError('a non-modal dialog needs a default action');
  if (defaultAction !== undefined && !actions.some(({ action }) => action === defaultAction))
    throw new DialogError('the default action is none of the actions');
  return { ...definition, kind: 'custom', text, actions, replyTo, modal, about };
}

/** A yes-or-no question: `approve` does it, anything else leaves all as it is. */
export function confirmDialog(question: {
  title?: Text;
  text: Text;
  approve: Text;
  cancel?: Text;
  danger?: boolean;
  about: string;
  replyTo?: AnyActorRef;
}): Dialog {
  const { title, text, approve, cancel = { key: 'interface.cancel' }, danger = false, about, replyTo } = question;
  return {
    kind: 'confirm',
    text,
    ...(title && { title }),
    actions: [
      { action: 'cancel', label: cancel, tone: 'plain', cancels: true },
      { action: 'approve', label: approve, tone: danger ? 'danger' : 'primary' },
    ],
    modal: false,
    defaultAction: 'cancel',
    width: 'small',
    about,
    ...(replyTo && { replyTo }),
  };
}

/** The action that closing a dialog without pressing a button stands for. */
export const dismissal = ({ defaultAction, actions }: Dialog): string =>
  defaultAction ?? actions.find(({ cancels }) => cancels)?.action ?? 'dismissed';
