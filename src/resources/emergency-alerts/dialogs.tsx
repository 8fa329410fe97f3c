import type { EmergencyAlert } from '#models/emergency-alerts.ts';
import { groupText } from '#src/components/group-text.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import './emergency-alerts.css';

type Step = 'start' | 'drill' | 'stop';

/** Says what will happen, in the order in which people notice it. */
function Consequences({ row, step }: { row: EmergencyAlert; step: 'start' | 'drill' }) {
  const { t } = useText();
  const groups = row.domains.map((group) => groupText(group)).join(', ');
  const device = t(`areas.emergency-alerts.played_by.${row.device_type}`);
  return (
    <>
      <p className="alert-preview" dir="auto">
        {row.message}
      </p>
      <ul className="alert-effects">
        <li>{t('areas.emergency-alerts.effects.screens', { groups })}</li>
        <li>
          {t(`areas.emergency-alerts.effects.${row.filename === null ? 'devices_silent' : 'devices'}`, { device, seconds: row.playback_duration })}
        </li>
        {row.open_locks && (
          <li>
            <strong>{t(`areas.emergency-alerts.effects.${step === 'drill' ? 'locks_stay' : 'locks_open'}`)}</strong>
          </li>
        )}
      </ul>
    </>
  );
}

function MoveDialog({ step, row, close, reload }: ActionProps<EmergencyAlert> & { step: Step }) {
  const { t } = useText();
  const done = (): void => {
    reload();
    close();
  };
  const start = useRequest('startEmergencyAlert', { done });
  const stop = useRequest('stopEmergencyAlert', { done });
  const { running, problem } = step === 'stop' ? stop : start;
  const run = (): void =>
    step === 'stop' ? stop.run({ params: { id: row.id } }) : start.run({ params: { id: row.id }, body: { is_drill: step === 'drill' } });
  return (
    <Modal
      title={t(`areas.emergency-alerts.${step}.title`, { name: row.name })}
      onDismiss={running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={running} onClick={close} />
          <Button
            tone={step === 'start' ? 'danger' : 'primary'}
            label={t(`areas.emergency-alerts.actions.${step}`)}
            loading={running}
            onClick={run}
          />
        </>
      }
    >
      {step === 'stop' ? <p>{t('areas.emergency-alerts.stop.does')}</p> : <Consequences row={row} step={step} />}
      <ProblemNote problem={problem} />
    </Modal>
  );
}

/** In earnest. */
export const StartAlert = (props: ActionProps<EmergencyAlert>) => <MoveDialog step="start" {...props} />;
/** Marked as a drill everywhere. */
export const StartDrill = (props: ActionProps<EmergencyAlert>) => <MoveDialog step="drill" {...props} />;
/** Over, everywhere. */
export const StopAlert = (props: ActionProps<EmergencyAlert>) => <MoveDialog step="stop" {...props} />;
