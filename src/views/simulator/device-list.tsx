import { useId } from 'react';
import { Link } from 'react-router-dom';
import { may } from '#models/permissions.ts';
import { type SimulatedDevice, strayRange } from '#models/simulator.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { rovingFocus } from '#src/components/roving-focus.ts';
import { StatusMark } from '../devices/status-mark.tsx';
import { actorOf, useProfile } from '../profile-of.ts';

interface DeviceListProps {
  devices: readonly SimulatedDevice[];
  chosen: string | null;
  sought: string;
  onSeek: (text: string) => void;
  onChoose: (id: string) => void;
}

const icons: Record<SimulatedDevice['type'], `pi-${string}`> = {
  panel: 'pi-tablet',
  monitor: 'pi-desktop',
  access_controller: 'pi-id-card',
  lift_controller: 'pi-sort-alt',
  ip_camera: 'pi-video',
  barrier: 'pi-car',
};

const matches = ({ name, group, serial }: SimulatedDevice, sought: string): boolean =>
  [name, group, serial].some((text) => text.toLowerCase().includes(sought.trim().toLowerCase()));

function Standing({ device }: { device: SimulatedDevice }) {
  const { t } = useText();
  if (device.tripped.length > 0) return <span className="simulator-mark simulator-alarm">{t('simulator.alarm')}</span>;
  if (device.door_open && device.online) return <span className="simulator-mark simulator-open">{t('simulator.open')}</span>;
  return <StatusMark status={device.online ? 'online' : 'offline'} protocol={device.protocol === 'http' ? 'http' : 'mqtt'} />;
}

/** Where devices are that can still be found, for those who may put them into the project. */
function Strays() {
  const { t } = useText();
  const profile = useProfile();
  if (!may(actorOf(profile), 'create', 'devices')) return null;
  return (
    <p className="quiet small simulator-inset">
      {t('simulator.strays', { from: strayRange.start_ip, to: strayRange.end_ip })} <Link to="/devices/search">{t('simulator.search')}</Link>
    </p>
  );
}

/** The devices of the building; what is going on at one is said beside it. */
export function DeviceList({ devices, chosen, sought, onSeek, onChoose }: DeviceListProps) {
  const { t } = useText();
  const titleId = useId();
  const shown = devices.filter((device) => matches(device, sought));
  const stop = shown.some(({ id }) => id === chosen) ? chosen : shown[0]?.id;
  return (
    <section className="card simulator-devices" aria-labelledby={titleId}>
      <header className="card-head">
        <h2 id={titleId}>{t('simulator.devices')}</h2>
      </header>
      <Strays />
      <div className="simulator-search">
        <TextInput
          type="search"
          value={sought}
          aria-label={t('simulator.find')}
          placeholder={t('simulator.find')}
          onChange={({ target }) => onSeek(target.value)}
        />
      </div>
      {shown.length === 0 && <EmptyState icon="pi-search" text={t('simulator.none_found')} />}
      <ul className="simulator-rows" onKeyDown={rovingFocus}>
        {shown.map((device) => (
          <li key={device.id}>
            <button
              type="button"
              className="simulator-row"
              tabIndex={device.id === stop ? 0 : -1}
              aria-current={device.id === chosen}
              onClick={() => onChoose(device.id)}
            >
              <i className={`pi ${icons[device.type]}`} aria-hidden="true" />
              <span className="simulator-name">
                <span>{device.name}</span>
                <span className="quiet small">{device.group}</span>
              </span>
              <Standing device={device} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
