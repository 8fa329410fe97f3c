import { useEffect, useId, useState } from 'react';
import type { IdentifierType } from '#models/device-events.ts';
import { type Carried, readableAt } from '#models/simulator.ts';
import { Button } from '#src/components/button.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { Part, type PartProps } from './part.tsx';

/** Presents what somebody of the building carries, or anything else, at the device's readers. */
export function PresentPart({ device, running, act }: PartProps) {
  const { t } = useText();
  const carried = useRequest('simulatorCarried');
  const { run } = carried;
  const types = readableAt(device);
  const reads = types.length > 0;
  const [chosen, choose] = useState('');
  const [typed, type] = useState('');
  const [kind, setKind] = useState<IdentifierType>(types[0] ?? 'card');
  const ids = { carried: useId(), kind: useId(), value: useId() };
  useEffect(() => {
    if (reads) run({ params: { id: device.id } });
  }, [reads, run, device.id]);
  if (!reads) return null;
  const all = carried.answer ?? [];
  const one = all.find(({ id }) => id === chosen) ?? all[0];
  const off = !device.online || running;
  const label = ({ owner, type: what, mask, state }: Carried): string =>
    [
      owner,
      `${t(`areas.device-events.options.identifier_type.${what}`)} …${mask}`,
      ...(state === 'good' ? [] : [t(`simulator.carried.${state}`)]),
    ].join(' · ');
  return (
    <Part title={t('simulator.present')}>
      {carried.answer && !one ? (
        <p className="quiet">{t('simulator.nobody')}</p>
      ) : (
        <div className="simulator-line">
          <label htmlFor={ids.carried}>{t('simulator.of_somebody')}</label>
          <select id={ids.carried} className="plain-select" value={one?.id ?? ''} disabled={!one} onChange={({ target }) => choose(target.value)}>
            {!one && <option value="">{t('interface.loading')}</option>}
            {all.map((each) => (
              <option key={each.id} value={each.id}>
                {label(each)}
              </option>
            ))}
          </select>
          <Button
            icon="pi-id-card"
            label={t('simulator.acts.present')}
            disabled={off || !one}
            onClick={() => one && act({ act: 'present', type: one.type, identifier_id: one.id })}
          />
        </div>
      )}
      <form
        className="simulator-line"
        onSubmit={(event) => {
          event.preventDefault();
          act({ act: 'present', type: kind, value: typed.trim() });
        }}
      >
        <label htmlFor={ids.value}>{t('simulator.anything')}</label>
        <span className="simulator-pair">
          <select
            id={ids.kind}
            aria-label={t('simulator.kind')}
            className="plain-select"
            value={kind}
            onChange={({ target }) => setKind(target.value as IdentifierType)}
          >
            {types.map((each) => (
              <option key={each} value={each}>
                {t(`areas.device-events.options.identifier_type.${each}`)}
              </option>
            ))}
          </select>
          <TextInput id={ids.value} value={typed} maxLength={100} placeholder="0012345678" onChange={({ target }) => type(target.value)} />
        </span>
        <Button type="submit" tone="plain" label={t('simulator.acts.present')} disabled={off || typed.trim() === ''} />
      </form>
    </Part>
  );
}
