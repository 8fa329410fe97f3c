import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { deviceModel } from '#models/device-models.ts';
import type { Relay } from '#models/device-settings.ts';
import { AddChip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';

const RelaysDialog = lazyPart(() => import('./relays-dialog.tsx'));

/** The relays in a line each, and the way to the form in which they are set. */
export function RelaysField({ id, value, onChange, draft, readOnly }: FieldProps) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const relays = Array.isArray(value) ? (value as Relay[]) : [];
  const { relays: count } = deviceModel(draft['type'], draft['model']);
  return (
    <>
      {relays.length > 0 ? (
        <ul className="lines relay-lines">
          {relays.map(({ number, name, switch_time, is_inverted }) => (
            <li key={number} className="line">
              <strong>{t('areas.devices.relay.number', { number })}</strong>
              <span>{name}</span>
              <span className="line-end quiet">
                {t('areas.devices.relay.time', { time: switch_time })}
                {is_inverted && ` · ${t('areas.devices.relay.inverted')}`}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="field-value-none">{t('areas.devices.relay.none', { count })}</p>
      )}
      {!readOnly && <AddChip id={id} label={t('areas.devices.relay.edit')} onClick={() => setOpen(true)} />}
      {open && (
        <Suspense>
          <RelaysDialog relays={relays} count={count} onClose={() => setOpen(false)} onApprove={onChange} />
        </Suspense>
      )}
    </>
  );
}
