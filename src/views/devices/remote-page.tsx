import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { Device } from '#models/devices.ts';
import type { RemoteAction, RemoteSession } from '#models/device-calls.ts';
import { AppMark } from '#src/components/app-mark.tsx';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useLiveRows } from '../area/use-live-rows.ts';
import { useRequest } from '../area/use-request.ts';
import { firstRows } from '../home/use-rows.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { PhoneSlot } from '../shell/phone-slot.tsx';
import { readPayload } from './remote-payload.ts';
import { RemoteRefusedDialog, remoteRefusedReason } from './remote-refused-dialog.tsx';
import { RemoteRelays } from './remote-relays.tsx';
import { RemoteSettings } from './remote-settings.tsx';
import { useProfile } from '../profile-of.ts';
import { seesStatus, StatusMark } from './status-mark.tsx';
import '#src/components/controls.css';
import '../area/area.css';
import './devices.css';

/** The session: begun when the page opens, then one action at a time; each answers the device as it stands. */
function useSession(device: Device) {
  const [session, setSession] = useState<RemoteSession>();
  const begin = useRequest('beginRemoteSession', { done: setSession });
  const act = useRequest('remoteSession', { done: setSession });
  const { run: beginRun } = begin;
  const start = useCallback(
    () => beginRun({ body: { serial_number: device.login, login: device.device_login, password: null } }),
    [beginRun, device.login, device.device_login],
  );
  useEffect(start, [start]);
  const { run: actRun } = act;
  const does = (action: RemoteAction) => session && actRun({ params: { id: session.id }, body: action });
  return { session, begin, act, start, does };
}

function Session({ device }: { device: Device }) {
  const { t } = useText();
  const { session, begin, act, start, does } = useSession(device);
  const [rebooting, setRebooting] = useState(false);
  if (begin.problem) return <Failure problem={begin.problem} onRetry={start} />;
  if (!session)
    return (
      <div className="card editor-bones">
        <p role="status">{t('areas.devices.remote.connecting')}</p>
        <SkeletonLines lines={5} label={t('areas.devices.remote.connecting')} />
      </div>
    );
  return (
    <>
      {act.problem && <Failure problem={act.problem} onRetry={act.problem.code === 'not_found' ? start : () => does({ action: 'read' })} />}
      <section className="card remote-part">
        <h2>{t('areas.devices.remote.device')}</h2>
        <dl className="facts">
          <div className="fact">
            <dt>{t('areas.devices.remote.firmware')}</dt>
            <dd>{session.firmware ?? t('areas.devices.remote.unknown')}</dd>
          </div>
          <div className="fact">
            <dt>{t('areas.devices.remote.uptime')}</dt>
            <dd>
              {session.uptime === null
                ? t('areas.devices.remote.unknown')
                : t('areas.devices.remote.minutes', { count: Math.floor(session.uptime / 60) })}
            </dd>
          </div>
        </dl>
        <div className="row">
          <Button
            tone="plain"
            icon="pi-refresh"
            label={t('areas.devices.remote.read')}
            loading={act.running}
            onClick={() => does({ action: 'read' })}
          />
          {rebooting ? (
            <>
              <Button
                tone="danger"
                label={t('areas.devices.remote.reboot_now')}
                onClick={() => {
                  setRebooting(false);
                  does({ action: 'reboot' });
                }}
              />
              <Button tone="plain" label={t('interface.cancel')} onClick={() => setRebooting(false)} />
              <span className="quiet">{t('areas.devices.remote.reboot_means')}</span>
            </>
          ) : (
            <Button
              tone="danger-plain"
              icon="pi-power-off"
              label={t('areas.devices.remote.reboot')}
              disabled={act.running}
              onClick={() => setRebooting(true)}
            />
          )}
        </div>
      </section>
      <RemoteRelays relays={session.relays} busy={act.running} onSwitch={(number) => does({ action: 'relay', number })} />
      <RemoteSettings settings={session.settings} busy={act.running} onWrite={(settings) => does({ action: 'write_settings', settings })} />
    </>
  );
}

function Controlled({ id }: { id: string }) {
  const { t } = useText();
  const profile = useProfile();
  const navigate = useNavigate();
  const query = useMemo(() => firstRows(1, [{ field: 'id', rule: 'equals', value: id }]), [id]);
  const { rows, loading, problem, reload } = useLiveRows<Device>('devices', query);
  const [seen, setSeen] = useState(false);
  const [device] = rows;
  usePageTitle(t('areas.devices.remote.title'), device?.name);
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (!device)
    return loading ? (
      <SkeletonLines lines={5} label={t('interface.loading')} />
    ) : (
      <EmptyState icon="pi-tablet" text={t('areas.devices.remote.not_found')} />
    );
  const reason = remoteRefusedReason(device);
  return (
    <>
      <header className="remote-head">
        <h1>{device.name}</h1>
        {seesStatus(profile) && <StatusMark status={device.status} protocol={device.protocol} />}
        <span className="quiet">
          {device.model} · {device.login}
        </span>
      </header>
      {reason ? (
        <>
          <EmptyState icon="pi-sliders-h" text={t(reason)}>
            <Link className="p-button p-component p-button-outlined" to={`/devices/${device.id}`}>
              <span className="p-button-label">{t('areas.devices.remote.to_device')}</span>
            </Link>
          </EmptyState>
          {!seen && (
            <RemoteRefusedDialog
              reason={reason}
              onClose={() => {
                setSeen(true);
                void navigate(`/devices/${device.id}`);
              }}
            />
          )}
        </>
      ) : (
        <Session device={device} />
      )}
    </>
  );
}

/** A device under one's hands from afar: its state, its relays, its settings. A page of its own, outside the layout (spec A2.1). */
export function RemotePage() {
  const { t } = useText();
  const [params] = useSearchParams();
  const id = readPayload(params.get('payload'));
  return (
    <main className="remote-page">
      <div className="remote-top">
        <Link to="/devices" className="editor-back remote-home">
          <AppMark size={24} /> {t('areas.devices.remote.to_devices')}
        </Link>
        <PhoneSlot />
      </div>
      {id ? (
        <Controlled id={id} />
      ) : (
        <>
          <header className="remote-head">
            <h1>{t('areas.devices.remote.title')}</h1>
          </header>
          <EmptyState icon="pi-link" text={t('areas.devices.remote.wrong_link')} />
        </>
      )}
    </main>
  );
}
