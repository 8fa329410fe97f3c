import { useContext, useState } from 'react';
import { localTime, momentAt } from '#models/zone.ts';
import { Button } from '#src/components/button.tsx';
import { DayInput } from '#src/components/day-input.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { useRowNames } from '../area/memory.tsx';
import { RefPicker } from '../area/ref-picker.tsx';
import { useReading } from '../area/use-reading.ts';
import { Explained } from './explained.tsx';
import './access.css';

interface ExplainProps {
  /** Whose access: one identifier, or all of a person. */
  subject: { identifier: string } | { user: string };
  /** The door, where it is known; else one is chosen. */
  device?: { id: string; name: string };
  /** ISO 8601; now, when it is left out. */
  at?: string;
  onClose: () => void;
}

/** The door and the moment that are asked about. */
function Question({
  device,
  fixed,
  at,
  onDevice,
  onMoment,
}: {
  device: string | null;
  fixed: boolean;
  at: string | null;
  onDevice: (id: string | null) => void;
  onMoment: (at: string | null) => void;
}) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  return (
    <div className="explain-question">
      {!fixed && (
        <RefPicker
          id="explain-device"
          area="devices"
          label={t('list.explain.device')}
          ids={device === null ? [] : [device]}
          onChange={(ids) => onDevice(ids.at(-1) ?? null)}
        />
      )}
      <label className="matrix-moment">
        <span className="quiet">{t('list.explain.at')}</span>
        <DayInput
          label={t('list.explain.at')}
          withTime
          value={at === null ? null : localTime(clockwork, Date.parse(at))}
          onChange={(local) => onMoment(local === null ? null : new Date(momentAt(clockwork, local)).toISOString())}
        />
      </label>
    </div>
  );
}

/** Explain access: the chain of checks that decides at a door and a moment, with links to what to change. */
export function ExplainDialog({ subject, device, at, onClose }: ExplainProps) {
  const { t } = useText();
  const { nameOf } = useRowNames();
  const { now } = useContext(ClockworkContext);
  const [chosen, setChosen] = useState(device?.id ?? null);
  const [moment, setMoment] = useState<string | null>(() => at ?? new Date(now()).toISOString());
  const question = chosen === null ? null : { body: { ...subject, device: chosen, ...(moment !== null && { at: moment }) } };
  const { answer, problem, reload } = useReading('explainAccess', question);
  const name = device?.name ?? (chosen === null ? '' : (nameOf('devices', chosen) ?? answer?.device.name ?? ''));
  return (
    <Modal
      title={t('list.explain.title')}
      width="wide"
      onDismiss={onClose}
      footer={<Button tone="plain" data-focus={device !== undefined} label={t('list.explain.close')} onClick={onClose} />}
    >
      <Question device={chosen} fixed={device !== undefined} at={moment} onDevice={setChosen} onMoment={setMoment} />
      {problem && <Failure problem={problem} onRetry={reload} />}
      {chosen === null && <p className="quiet">{t('list.explain.choose')}</p>}
      {chosen !== null && !answer && !problem && <SkeletonLines lines={6} label={t('list.explain.asking')} />}
      {answer?.explanations.length === 0 && <p className="quiet">{t('list.explain.nothing')}</p>}
      <div className="explain-list" aria-live="polite">
        {answer?.explanations.map((explanation, index) => (
          <Explained key={explanation.identifier?.id ?? index} explanation={explanation} device={name} />
        ))}
      </div>
    </Modal>
  );
}
