import { useContext } from 'react';
import { hasPermission } from '#models/permissions.ts';
import type { Problem } from '#models/problem.ts';
import type { ServiceName, ServiceStatus } from '#models/system-info.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime, When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { useConfirm } from '../confirm.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useAlerts } from '../system.ts';

const icons = { running: 'pi-check-circle', restarting: 'pi-spinner', stopped: 'pi-times-circle', external: 'pi-external-link' } as const;

interface ServicesCardProps {
  services: readonly ServiceStatus[];
  mayRestart: boolean;
  refresh: () => void;
}

/** The services that can be begun anew, each after a question. */
export function ServicesCard({ services, mayRestart, refresh }: ServicesCardProps) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const confirm = useConfirm();
  const alerts = useAlerts();
  const mayChange = hasPermission(actorOf(useProfile()), 'can_change_project_settings') && mayRestart;
  const heard = { done: refresh, failed: (problem: Problem): void => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } }) };
  const restarting = useRequest('restartService', heard);
  const reinit = useRequest('reinitSip', heard);
  const restart = async (key: ServiceName): Promise<void> => {
    const approved = await confirm({
      title: { key: `areas.system.services.${key}.question` },
      text: { key: `areas.system.services.${key}.consequence` },
      approve: { key: 'areas.system.restart' },
      danger: true,
    });
    if (approved) restarting.run({ params: { service: key } });
  };
  return (
    <section className="card system-card" aria-labelledby="system-services">
      <header className="card-head">
        <h2 id="system-services">{t('areas.system.services_title')}</h2>
      </header>
      <ul className="card-body ip-list">
        {services.map(({ key, state, port, since, refused_port: refusedPort, secure_port: securePort, certificate }) => (
          <li key={key} className="ip-line">
            <div className="ip-about">
              <strong>{t(`areas.system.services.${key}.title`)}</strong>
              <span className={`small system-${state}`}>
                <i className={`pi ${icons[state]}`} aria-hidden="true" /> {t(`areas.system.states.${state}`)}
                {port !== null && ` · ${t('areas.system.port', { port: String(port) })}`}
                {securePort !== null && securePort !== port && ` · ${t('areas.system.tls_port', { port: String(securePort) })}`}
              </span>
              {refusedPort !== null && (
                <span className="small system-ending">
                  <i className="pi pi-exclamation-triangle" aria-hidden="true" /> {t('areas.system.refused_port', { port: String(refusedPort) })}
                </span>
              )}
              {certificate && certificate.state !== 'valid' && (
                <span className={`small system-${certificate.state === 'expired' ? 'stopped' : 'ending'}`}>
                  <i className="pi pi-exclamation-triangle" aria-hidden="true" />{' '}
                  {t(`areas.system.certificate_${certificate.state}`, { until: exactTime(Date.parse(certificate.valid_to), clockwork, 'HH:mm') })}
                </span>
              )}
              {since && (
                <span className="quiet small">
                  {t('areas.system.since')} <When at={since} />
                </span>
              )}
            </div>
            {mayChange && state !== 'external' && (
              <div className="service-buttons">
                {key === 'sip' && (
                  <Button tone="plain" small label={t('areas.system.reinit')} loading={reinit.running} onClick={() => reinit.run({})} />
                )}
                <Button
                  tone="plain"
                  small
                  icon="pi-refresh"
                  label={t('areas.system.restart')}
                  aria-label={`${t('areas.system.restart')}: ${t(`areas.system.services.${key}.title`)}`}
                  loading={restarting.running}
                  onClick={() => void restart(key)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
