import { useSelector } from '@xstate/react';
import { type ComponentType, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { type AlertsActor, type PendingDialog, presentDialog, standingAlerts } from '#machines/alerts/alerts.machine.ts';
import { aboutApp } from '#machines/alerts/dialog.ts';
import { consistencyItems } from '#models/consistency.ts';
import { AlertStack, type ShownAlert } from '#src/components/alert-stack.tsx';
import { Question } from '#src/components/question.tsx';
import { sayProblem, type Text, useText } from '#src/components/text.ts';
import { useAlerts } from '../system.ts';

/** Before deleting, what depends on the row is shown; that comes with the signed-in screens. */
const DeleteQuestion = lazyPart(() => import('../area/delete-question.tsx'));
/** Brings the code that draws QR codes. */
const AppPromotion = lazyPart(() => import('./app-promotion.tsx'));

const AlertFindings = lazyPart(() => import('./alert-findings.tsx'));

/** Questions that are more than a text and buttons, by what they are about. */
const ownDrawing: Readonly<Record<string, ComponentType<{ pending: PendingDialog }>>> = { delete: DeleteQuestion, [aboutApp]: AppPromotion };

type AlertActor = ReturnType<typeof standingAlerts>[number];

function findingsOf({ problem }: ReturnType<AlertActor['getSnapshot']>['context']['alert']): ReactNode {
  const items = problem && consistencyItems(problem.data);
  return (
    items && (
      <Suspense>
        <AlertFindings items={items} />
      </Suspense>
    )
  );
}

function shownAs(actor: AlertActor, words: Text): ShownAlert {
  const { alert, count } = actor.getSnapshot().context;
  const { kind, key, params, problem } = alert;
  const sentence = problem ? sayProblem(words, problem) : { text: key ? words.t(key, { ...params }) : '' };
  return { id: actor.id, kind, count, ...sentence, findings: findingsOf(alert) };
}

/** Draws again when an alert is raised once more while it stands. */
function useCounts(actors: readonly AlertActor[]): void {
  const [, drawAgain] = useState(0);
  useEffect(() => {
    const subscriptions = actors.map((actor) => actor.subscribe(() => drawAgain((times) => times + 1)));
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [actors]);
}

function Alerts({ actor }: { actor: AlertsActor }) {
  const words = useText();
  const shown = useSelector(actor, ({ context }) => context.shown);
  // The children change only together with `shown`.
  const actors = useMemo(() => (shown.length > 0 ? standingAlerts(actor.getSnapshot()) : []), [actor, shown]);
  useCounts(actors);
  return (
    <AlertStack
      alerts={actors.map((alert) => shownAs(alert, words))}
      onClose={(id) => actor.send({ type: 'alert.close', id })}
      onHold={(id) => actor.send({ type: 'alert.hold', id })}
      onRelease={(id) => actor.send({ type: 'alert.release', id })}
    />
  );
}

function Dialogs({ actor }: { actor: AlertsActor }) {
  const { t } = useText();
  const pending = useSelector(actor, presentDialog);
  if (!pending) return null;
  const { id, dialog } = pending;
  const Own = ownDrawing[dialog.about];
  if (Own) {
    return (
      <Suspense>
        <Own key={id} pending={pending} />
      </Suspense>
    );
  }
  const { title, text, actions, width, focus, defaultAction } = dialog;
  return (
    <Question
      key={id}
      title={title && t(title.key, { ...title.params })}
      text={t(text.key, { ...text.params })}
      width={width}
      focus={focus}
      choices={actions.map(({ action, label, tone }) => ({ action, tone, label: t(label.key, { ...label.params }) }))}
      onAnswer={(action) => actor.send({ type: 'dialog.answer', action })}
      onDismiss={defaultAction === undefined ? undefined : () => actor.send({ type: 'dialog.dismiss' })}
    />
  );
}

/** What the alerts actor has to say and to ask, over all screens. */
export function AlertArea() {
  const actor = useAlerts();
  return (
    <>
      <Alerts actor={actor} />
      <Dialogs actor={actor} />
    </>
  );
}
