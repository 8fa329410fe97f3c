import { useEffect, useState } from 'react';
import type { EmergencyAlert } from '#models/emergency-alerts.ts';
import { Button } from '#src/components/button.tsx';
import { FileChoice } from '#src/components/file-choice.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { mayMoveAlert } from '#src/views/emergency/life.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { plainSubject } from '../subjects.ts';
import './emergency-alerts.css';

const soundTypes = 'audio/wav,audio/x-wav,audio/mpeg,audio/ogg';

/** What can be done with the recording: stored and taken away at once, apart from the form. */
function Recording({ row, mayChange, reload }: { row: EmergencyAlert; mayChange: boolean; reload: () => void }) {
  const { t, locale } = useText();
  const [stored, setStored] = useState<string | null>();
  const taken = (filename: string | null): void => {
    setStored(filename);
    reload();
  };
  const upload = useRequest('setEmergencyAlertFile', { done: ({ filename }) => taken(filename) });
  const generate = useRequest('generateEmergencyAlert', { done: ({ filename }) => taken(filename) });
  const remove = useRequest('removeEmergencyAlertFile', { done: () => taken(null) });
  const download = useRequest('emergencyAlertFile');
  const { run, answer: speech } = useRequest('emergencyAlertSpeech');
  useEffect(() => run({}), [run]);
  const params = { id: row.id };
  const filename = stored === undefined ? row.filename : stored;
  return (
    <div className="alert-recording">
      {filename ? (
        <Button tone="quiet" small icon="pi-download" label={filename} loading={download.running} onClick={() => download.run({ params })} />
      ) : (
        <span className="field-value-none">{t('areas.emergency-alerts.recording.none')}</span>
      )}
      {mayChange && (
        <FileChoice
          types={soundTypes}
          name={t('areas.emergency-alerts.recording.choose')}
          label={t(`areas.emergency-alerts.recording.${filename ? 'replace' : 'choose'}`)}
          loading={upload.running}
          problem={upload.problem ?? generate.problem ?? remove.problem}
          onChoose={(file) => {
            generate.reset();
            remove.reset();
            upload.run({ params, files: { file } });
          }}
        >
          {speech?.is_available && (
            <Button
              tone="plain"
              small
              icon="pi-volume-up"
              label={t('areas.emergency-alerts.recording.generate')}
              loading={generate.running}
              onClick={() => generate.run({ params, body: { locale } })}
            />
          )}
          {filename && (
            <Button
              tone="danger-quiet"
              small
              label={t('areas.emergency-alerts.recording.remove')}
              loading={remove.running}
              onClick={() => remove.run({ params })}
            />
          )}
          {speech?.is_available === false && <p className="quiet small alert-note">{t('areas.emergency-alerts.recording.no_speech')}</p>}
        </FileChoice>
      )}
      <ProblemNote problem={download.problem} />
    </div>
  );
}

/** What devices play. */
export function RecordingPiece({ row, mode, reload }: PieceProps<EmergencyAlert>) {
  const { t } = useText();
  const profile = useProfile();
  if (!row) return <p className="quiet">{t('areas.emergency-alerts.after_saving')}</p>;
  const mayChange =
    mode !== 'view' && mayMoveAlert(row.status, 'change') && mayDo(profile, { area: 'emergency-alerts', subject: plainSubject }, 'edit', row);
  return <Recording row={row} mayChange={mayChange} reload={reload} />;
}
