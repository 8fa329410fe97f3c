import { useMemo, useState } from 'react';
import type { Device } from '#models/devices.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { CoordinateGrid, type Landmark } from '#src/views/devices/coordinate-grid.tsx';
import { type Place, readPlace, type View, viewOf } from '#src/views/devices/grid.ts';
import { useMedia } from '#src/views/shell/media.ts';
import { firstRows, useRows } from '#src/views/home/use-rows.ts';

interface LocationDialogProps {
  deviceId: string | null;
  value: Place | null;
  onApprove: (place: Place) => void;
  onClose: () => void;
}
const query = firstRows(500);
const sizes = { wide: { width: 820, height: 420 }, narrow: { width: 320, height: 320 } } as const;

/** The other devices that have a place, for orientation. */
function useLandmarks(deviceId: string | null): Landmark[] {
  const { rows } = useRows<Device>('devices', query);
  return useMemo(
    () =>
      rows.flatMap(({ id, name, location: { latitude, longitude } }) =>
        id === deviceId || latitude === null || longitude === null ? [] : [{ id, name, place: { latitude, longitude } }],
      ),
    [rows, deviceId],
  );
}

/** Where the device is: set on the grid of coordinates, or typed as people copy them from a map. */
export default function LocationDialog({ deviceId, value, onApprove, onClose }: LocationDialogProps) {
  const { t } = useText();
  const landmarks = useLandmarks(deviceId);
  const size = useMedia('(max-width: 640px)') ? sizes.narrow : sizes.wide;
  const [chosen, setChosen] = useState(value);
  const [moved, setView] = useState<View>();
  const [text, setText] = useState('');
  const view = moved ?? viewOf(value ? [value] : landmarks.map(({ place }) => place), size.width);
  const typed = readPlace(text);
  const use = (place: Place) => {
    setChosen(place);
    setView(viewOf([place], size.width));
  };
  return (
    <Modal
      width="wide"
      title={t('areas.devices.map.title')}
      onDismiss={onClose}
      footer={
        <>
          <span className="foot-apart quiet" role="status">
            {chosen ? `${chosen.latitude}, ${chosen.longitude}` : t('areas.devices.map.none')}
          </span>
          <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
          <Button
            label={t('areas.devices.approve')}
            disabled={!chosen}
            onClick={() => {
              if (chosen) onApprove(chosen);
              onClose();
            }}
          />
        </>
      }
    >
      <p className="quiet">{t('areas.devices.map.lead')}</p>
      <form
        className="map-typed"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed) use(typed);
        }}
      >
        <TextInput
          value={text}
          aria-label={t('areas.devices.map.coordinates')}
          placeholder={t('areas.devices.map.coordinates')}
          invalid={text.trim() !== '' && !typed}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" tone="plain" label={t('areas.devices.map.use')} disabled={!typed} />
      </form>
      <CoordinateGrid view={view} size={size} onView={setView} value={chosen} onPick={setChosen} landmarks={landmarks} />
    </Modal>
  );
}
