import { useCallback, useEffect } from 'react';
import type { PushStanding, PushSubscriptionKeys } from '#models/push-calls.ts';
import { Button } from '#src/components/button.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

/** People take their time with the question of the browser. */
const askingTime = 120_000;

/** Whether calls of the desk and alarms reach this browser while the console is closed, and how to change that. */
export function ClosedPage() {
  const { t } = useText();
  const sayProblem = useProblemText();
  const standing = useRequest('push');
  const { run } = standing;
  const load = useCallback(() => run({}), [run]);
  useEffect(load, [load]);
  const saving = useRequest('savePush', { done: load });
  const dropping = useRequest('removePush', { done: load });
  // What these calls bring is what the browser made of the answer.
  const subscribing = useRequest('pushKey', { done: (answer) => saving.run({ body: answer as unknown as PushSubscriptionKeys }) });
  const { isPossible, isOn } = (standing.answer as unknown as PushStanding | null) ?? { isPossible: true, isOn: false };
  const running = subscribing.running || saving.running || dropping.running;
  const problem = subscribing.problem ?? saving.problem ?? dropping.problem ?? standing.problem;
  return (
    <aside className="card inbox-here" aria-labelledby="closed-page-title">
      <div className="inbox-closed">
        <h2 id="closed-page-title">{t('notifications.closed.title')}</h2>
        <p className="quiet">{t(isPossible ? 'notifications.closed.lead' : 'notifications.closed.impossible')}</p>
        {problem && (
          <p className="field-issue" role="alert">
            {sayProblem(problem)}
          </p>
        )}
      </div>
      {standing.answer && isOn && (
        <>
          <span className="tag tag-good">{t('notifications.closed.is_on')}</span>
          <Button tone="plain" label={t('notifications.closed.turn_off')} loading={running} onClick={() => dropping.run({})} />
        </>
      )}
      {standing.answer && !isOn && isPossible && (
        <Button
          tone="plain"
          icon="pi-bell"
          label={t('notifications.closed.turn_on')}
          loading={running}
          onClick={() => subscribing.run({ timeout: askingTime })}
        />
      )}
    </aside>
  );
}
