import { useCallback } from 'react';
import { createActor, fromCallback } from 'xstate';
import { confirmDialog, type DialogAnswered, type Text } from '#machines/alerts/dialog.ts';
import { useAlerts } from './system.ts';

interface Question {
  title?: Text;
  text: Text;
  approve: Text;
  danger?: boolean;
}

/** Asks the person yes or no through the dialogs' queue; the answer comes back to whoever asked. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const alerts = useAlerts();
  return useCallback(
    (question) =>
      new Promise((resolve) => {
        const asker = createActor(
          fromCallback<DialogAnswered>(({ receive }) => {
            receive(({ action }) => {
              resolve(action === 'approve');
              asker.stop();
            });
          }),
        );
        asker.start();
        alerts.send({ type: 'dialog.ask', dialog: confirmDialog({ ...question, about: 'view', replyTo: asker }) });
      }),
    [alerts],
  );
}
