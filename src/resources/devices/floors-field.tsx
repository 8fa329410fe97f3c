import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { deviceModel } from '#models/device-models.ts';
import type { FloorEntry } from '#models/device-settings.ts';
import { floorIssues } from '#models/devices.ts';
import { AddChip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';

const FloorsDialog = lazyPart(() => import('./floors-dialog.tsx'));

/** Which relay gives which floor free, in short, and the way to the form in which that is set. */
export function FloorsField({ id, value, onChange, draft, readOnly }: FieldProps) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const map = Array.isArray(value) ? (value as FloorEntry[]) : [];
  const { relays } = deviceModel(draft['type'], draft['model']);
  const wrong = floorIssues(map, relays).length;
  return (
    <>
      {map.length > 0 ? (
        <ol className="floor-strip" aria-label={t('areas.devices.floors.title')}>
          {map
            .toSorted((one, other) => one.floor - other.floor)
            .map(({ relay, floor, logic_address, is_public, is_panel_floor }) => (
              <li key={relay} data-public={is_public} data-panel={is_panel_floor} title={t('areas.devices.floors.line', { floor, relay })}>
                {logic_address}
              </li>
            ))}
        </ol>
      ) : (
        <p className="field-value-none">{t('areas.devices.floors.none')}</p>
      )}
      {wrong > 0 && <p className="field-issue">{t('areas.devices.floors.wrong', { count: wrong })}</p>}
      {!readOnly && <AddChip id={id} label={t('areas.devices.floors.edit')} onClick={() => setOpen(true)} />}
      {open && (
        <Suspense>
          <FloorsDialog map={map} relays={relays} onClose={() => setOpen(false)} onApprove={onChange} />
        </Suspense>
      )}
    </>
  );
}
