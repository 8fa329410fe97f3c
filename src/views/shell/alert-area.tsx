import { useSelector } from '@xstate/react';
import { type ComponentType, Suspense, useContext, useEffect, useMemo, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { type AlertsActor, type PendingDialog, presentDialog, standingAlerts } from '#machines/alerts/alerts.machine.ts';
import { aboutApp } from '#machines/alerts/dialog.ts';
import { type ConsistencyItem, consistencyItems } from '#models/consistency.ts';
import { AlertStack, type ShownAlert } from '#src/components/alert-stack.tsx';
import { useConsistencyText } from '#src/components/consistency.tsx';
import { Question } from '#src/components/question.tsx';
import { sayProblem, type Text, useText } from '#src/components/text.ts';
import { type Clockwork, clockworkOf, ClockworkContext } from '#src/components/when.tsx';
import { useAlerts, useServices, useSession } from '../system.ts';

/** Before deleting, what depends on the row is shown; that comes with the signed-in screens. */
const DeleteQuestion = lazyPart(() => import('../area/delete-question.tsx'));
/** Brings the code that draws QR codes. */
const AppPromotion = lazyPart(() => import('./app-promotion.tsx'));

/** Questions that are more than a text and buttons, by what they are about. */
const ownDrawing: Readonly<Record<string, ComponentType<{ pending: PendingDialog }>>> = { delete: DeleteQuestion, [aboutApp]: AppPromotion };

type AlertActor = ReturnType<typeof standingAlerts>[number];

function shownAs(actor: AlertActor, words: Text, say: (item: ConsistencyItem) => string): ShownAlert {
  const { alert, count } = actor.getSnapshot().context;
  const { kind, key, params, problem } = alert;
  const sentence = problem ? sayProblem(words, problem) : { text: key ? words.t(key, { ...params }) : '' };
  const items = problem && consistencyItems(problem.data);
  const lines = items?.length === 0 ? [words.t('errors.consistency.default')] : items?.map(say);
  return { id: actor.id, kind, count, lines, ...sentence };
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
  const say = useConsistencyText();
  const shown = useSelector(actor, ({ context }) => context.shown);
  // The children change only together with `shown`.
  const actors = useMemo(() => (shown.length > 0 ? standingAlerts(actor.getSnapshot()) : []), [actor, shown]);
  useCounts(actors);
  return (
    <AlertStack
      alerts={actors.map((alert) => shownAs(alert, words, say))}
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

/** Messages stand above the signed-in shell: how the person reads time is asked of the session. */
function useClockwork(): Clockwork {
  const { now } = useServices();
  const reading = useSelector(useSession(), ({ context }) => context.profile?.profile);
  const unread = useContext(ClockworkContext);
  return useMemo(() => (reading ? clockworkOf(reading, now) : unread), [reading, unread, now]);
}

/** What the alerts actor has to say and to ask, over all screens. */
export function AlertArea() {
  const actor = useAlerts();
  return (
    <ClockworkContext value={useClockwork()}>
      <Alerts actor={actor} />
      <Dialogs actor={actor} />
    </ClockworkContext>
  );
}
