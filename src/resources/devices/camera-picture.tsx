import type { Device } from '#models/devices.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useReading } from '#src/views/area/use-reading.ts';
import '#src/views/integrations/integrations.css';

/** What the camera of a device shows: once when it is opened, anew when told to. */
export function CameraPicture({ device }: { device: Device }) {
  const { t } = useText();
  const { id, version } = device;
  const { enabled, integration } = device.device_settings.integration_axxon;
  const has = enabled && integration !== null;
  const { answer, problem, running, reload } = useReading('devicePicture', has ? { params: { id } } : null, { again: version });
  if (!has) return null;
  return (
    <figure className="device-camera">
      {answer && <img className="camera-still" src={answer.picture} alt={t('areas.devices.camera.picture', { name: answer.camera })} />}
      {answer && (
        <figcaption className="quiet small">
          {answer.camera} · <When at={answer.taken_at} />
        </figcaption>
      )}
      {problem && <ProblemNote problem={problem} />}
      <Button small tone="plain" icon="pi-refresh" label={t('areas.devices.camera.refresh')} loading={running} onClick={reload} />
    </figure>
  );
}
