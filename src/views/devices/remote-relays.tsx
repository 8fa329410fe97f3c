import type { RemoteSession } from '#models/device-calls.ts';
import { useText } from '#src/components/text.ts';
import { HoldButton } from '#src/components/hold-button.tsx';

interface RemoteRelaysProps {
  relays: RemoteSession['relays'];
  busy: boolean;
  onSwitch: (number: number) => void;
}

/** The relays as the device says they stand; one is switched by holding its button. */
export function RemoteRelays({ relays, busy, onSwitch }: RemoteRelaysProps) {
  const { t } = useText();
  return (
    <section className="card remote-part">
      <h2>{t('areas.devices.remote.relays')}</h2>
      {relays.length === 0 && <p className="quiet">{t('areas.devices.remote.no_relays')}</p>}
      <ul className="lines">
        {relays.map(({ number, name, is_open }) => (
          <li key={number} className="line remote-relay">
            <strong>{name}</strong>
            <span className={is_open ? 'tag tag-warn' : 'tag'}>
              {t(is_open ? 'areas.devices.remote.relay_open' : 'areas.devices.remote.relay_closed')}
            </span>
            <span className="line-end">
              <HoldButton
                icon="pi-bolt"
                label={t('areas.devices.remote.switch')}
                holding={t('areas.devices.remote.holding')}
                hint={t('areas.devices.door.hold')}
                disabled={busy}
                onHeld={() => onSwitch(number)}
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
