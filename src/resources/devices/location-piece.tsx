import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import type { Device } from '#models/devices.ts';
import { asText } from '#src/components/as-text.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { readPlace } from '#src/views/devices/grid.ts';

const LocationDialog = lazyPart(() => import('./location-dialog.tsx'));
type Draft = { location?: { latitude?: unknown; longitude?: unknown } };

/** The way to the grid on which the place is set. */
export function LocationPiece({ row, draft, mode, change }: PieceProps<Device, Draft>) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  if (mode === 'view') return null;
  const { latitude, longitude } = draft.location ?? {};
  return (
    <div className="location-piece">
      <Button tone="plain" icon="pi-map-marker" label={t('areas.devices.map.open')} onClick={() => setOpen(true)} />
      {open && (
        <Suspense>
          <LocationDialog
            deviceId={row?.id ?? null}
            value={readPlace(`${asText(latitude)} ${asText(longitude)}`)}
            onApprove={(place) => {
              change('location.latitude', String(place.latitude));
              change('location.longitude', String(place.longitude));
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
