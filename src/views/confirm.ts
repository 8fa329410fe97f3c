import { useCallback } from 'react';
import { confirmDialog, type Text } from '#machines/alerts/dialog.ts';
import { useAlerts, useServices } from './system.ts';

interface Question {
  title?: Text;
  text: Text;
  approve: Text;
  danger?: boolean;
}

/** Asks the person yes or no through the dialogs' queue; the answer is the one to the question of this name. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const alerts = useAlerts();
  const { freshId } = useServices();
  return useCallback(
    (question) =>
      new Promise((resolve) => {
        const about = `view:${freshId()}`;
        const answered = alerts.on('dialog.answered', ({ about: asked, action }) => {
          if (asked !== about) return;
          answered.unsubscribe();
          resolve(action === 'approve');
        });
        alerts.send({ type: 'dialog.ask', dialog: confirmDialog({ ...question, about }) });
      }),
    [alerts, freshId],
  );
}
