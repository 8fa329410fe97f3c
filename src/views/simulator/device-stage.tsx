import type { DeviceAct, SimulatedDevice, SimulatorState } from '#models/simulator.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { StatusMark } from '../devices/status-mark.tsx';
import { PageLink } from '../shell/page-link.tsx';
import { AlertScreen } from './alert-screen.tsx';
import { MessageScreen } from './message-screen.tsx';
import { ElevatorPart } from './elevator-part.tsx';
import { HandsPart } from './hands-part.tsx';
import { HappenedPart, LastActLine } from './happened-part.tsx';
import { Part, type PartProps } from './part.tsx';
import { PhonePart } from './phone-part.tsx';
import { PresentPart } from './present-part.tsx';
import { SensorsPart } from './sensors-part.tsx';

function DeviceItselfPart({ device, running, act }: PartProps) {
  const { t } = useText();
  return (
    <Part title={t('simulator.device_itself')}>
      <div className="simulator-acts">
        {device.online ? (
          <Button
            tone="plain"
            icon="pi-power-off"
            label={t('simulator.acts.go_offline')}
            disabled={running}
            onClick={() => act({ act: 'go_offline' })}
          />
        ) : (
          <Button icon="pi-power-off" label={t('simulator.acts.go_online')} disabled={running} onClick={() => act({ act: 'go_online' })} />
        )}
        <Button
          tone="plain"
          icon="pi-ban"
          label={t(device.failing ? 'simulator.will_fail' : 'simulator.acts.fail_next_task')}
          disabled={device.failing || running}
          onClick={() => act({ act: 'fail_next_task' })}
        />
      </div>
    </Part>
  );
}

/** One device, all that can be done standing before it, and what came of it. */
export function DeviceStage({ device, adopt }: { device: SimulatedDevice; adopt: (state: SimulatorState) => void }) {
  const { t } = useText();
  const request = useRequest('simulatorAct', { done: adopt });
  const act = (body: DeviceAct): void => request.run({ params: { id: device.id }, body });
  const part = { device, running: request.running, act };
  return (
    <section className="card" aria-label={device.name}>
      <header className="card-head simulator-head">
        <h2>
          <PageLink to={`/devices/${device.id}`}>{device.name}</PageLink>
        </h2>
        <StatusMark status={device.online ? 'online' : 'offline'} protocol={device.protocol === 'http' ? 'http' : 'mqtt'} />
      </header>
      <p className="quiet small simulator-facts">
        {[
          t(`areas.devices.options.type.${device.type}`),
          device.model,
          device.group,
          device.serial,
          t('simulator.knows', { count: device.identifiers }),
        ].join(' · ')}
      </p>
      {request.problem ? (
        <p className="simulator-last" role="alert" data-tone="bad">
          <span>
            <ProblemText problem={request.problem} />
          </span>
        </p>
      ) : (
        <LastActLine last={device.last} />
      )}
      {device.online && device.alert && <AlertScreen alert={device.alert} />}
      {device.online && device.messages.length > 0 && <MessageScreen messages={device.messages} />}
      <PhonePart {...part} />
      <PresentPart {...part} />
      <ElevatorPart {...part} />
      <HandsPart {...part} />
      <SensorsPart {...part} />
      <DeviceItselfPart {...part} />
      <HappenedPart device={device} />
    </section>
  );
}
