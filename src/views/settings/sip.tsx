import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { phoneServerForm } from '#models/forms/phone-server.ts';
import { sipCallsForm, sipNetworkForm } from '#models/forms/sip-settings.ts';
import { hasPermission } from '#models/permissions.ts';
import type { PhoneServer } from '#models/phone-server.ts';
import { forwardProtocols, type ShownSip } from '#models/sip-settings.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { ServerFields } from '../phone-server/server-fields.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { useForm } from '../use-form.ts';
import type { Setting } from './setting-field.tsx';
import { SettingFields, SettingForm, SettingWait } from './setting-form.tsx';

/** How this server is reached now. */
function Facts({ sip }: { sip: ShownSip }) {
  const { t } = useText();
  const facts = [
    ['port', String(sip.port)],
    ['udp', sip.udp],
    ['internal_ip', sip.internal_ip],
    ['external_ip', sip.external_ip],
    ['rtp', sip.rtp && `${sip.rtp.min}–${sip.rtp.max}`],
  ] as const;
  return (
    <section className="card setting-card" aria-labelledby="sip-facts">
      <header className="card-head">
        <h2 id="sip-facts">{t('areas.project-settings.sip.facts')}</h2>
      </header>
      <div className="setting-body">
        <dl className="setting-facts">
          {facts.map(([key, value]) => (
            <div key={key} className="setting-fact">
              <dt>{t(`areas.project-settings.sip.${key}`)}</dt>
              <dd>{value ?? t(`areas.project-settings.sip.no_${key === 'port' ? 'udp' : key}`)}</dd>
            </div>
          ))}
        </dl>
        {!sip.is_operator && <p className="quiet small">{t('areas.project-settings.sip.note')}</p>}
      </div>
    </section>
  );
}

function ServerForm({ server, adopt }: { server: PhoneServer | null; adopt: (server: PhoneServer | null) => void }) {
  const { t } = useText();
  const form = useForm(phoneServerForm, server, (saved) => adopt(saved.server));
  return (
    <SettingForm title={t('areas.sip-numbers.server.title')} form={form}>
      <div className="stack">
        <ServerFields form={form} />
      </div>
    </SettingForm>
  );
}

const forward = (enabled: boolean): readonly Setting[] => [
  { path: 'auto_forward.enabled', kind: 'flag' },
  ...(enabled ? [{ path: 'auto_forward.device_protocol', kind: 'choice', words: forwardProtocols } as const] : []),
];

function CallsForm({ sip, adopt }: { sip: ShownSip; adopt: (sip: ShownSip) => void }) {
  const { t } = useText();
  const form = useForm(sipCallsForm, sip, (saved) => adopt(saved));
  const settings: readonly Setting[] = [
    { path: 'early_media', kind: 'flag' },
    ...forward(form.draft.enabled),
    // Of another server, this one knows no nodes.
    ...(sip.server === null ? [{ path: 'nodes', kind: 'lines', wide: true, placeholder: 'sip2.example.org:8443' } as const] : []),
  ];
  return (
    <SettingForm title={t('areas.project-settings.sip.calls')} form={form}>
      <SettingFields block="sip" settings={settings} form={form} />
    </SettingForm>
  );
}

function NetworkForm({ sip, adopt }: { sip: ShownSip; adopt: (sip: ShownSip) => void }) {
  const { t } = useText();
  const maySystem = hasPermission(actorOf(useProfile()), 'can_view_system_info');
  const form = useForm(sipNetworkForm, sip, (saved) => adopt(saved));
  const fixed = (name: ShownSip['fixed'][number]): { locked: boolean } => ({ locked: sip.fixed.includes(name) });
  const settings: readonly Setting[] = [
    { path: 'port', kind: 'number', placeholder: String(sip.port), ...fixed('port') },
    { path: 'external_ip', kind: 'line', ...fixed('external_ip') },
    { path: 'rtp.min', kind: 'number', ...fixed('rtp') },
    { path: 'rtp.max', kind: 'number', ...fixed('rtp') },
    { path: 'internal_ip', kind: 'line' },
    { path: 'local_networks', kind: 'lines', placeholder: '192.168.0.0/24' },
  ];
  return (
    <SettingForm title={t('areas.project-settings.sip.network')} about={t('areas.project-settings.sip.network_about')} form={form}>
      <SettingFields block="sip_network" settings={settings} form={form} />
      {sip.fixed.length > 0 && <p className="quiet small">{t('areas.project-settings.sip.fixed')}</p>}
      {sip.needs_restart && (
        <p role="status" className="setting-note">
          <i className="pi pi-exclamation-triangle" aria-hidden="true" />
          <span>
            {sip.refused_port !== null && sip.refused_port === sip.network.port
              ? t('areas.project-settings.sip.refused_port', { refused: sip.refused_port, port: sip.port })
              : t('areas.project-settings.sip.needs_restart')}{' '}
            {maySystem && <Link to="/system-info">{t('areas.project-settings.sip.open_system')}</Link>}
          </span>
        </p>
      )}
    </SettingForm>
  );
}

/** With which SIP server web phones register, how calls go, and how this server is reached. */
export function SipSection() {
  const { t } = useText();
  const { run, answer, problem } = useRequest('sipSettings');
  const [changed, adopt] = useState<ShownSip | null>(null);
  useEffect(() => run({}), [run]);
  const sip = changed ?? answer;
  if (!sip) return <SettingWait title={t('areas.project-settings.sections.sip')} problem={problem} />;
  return (
    <>
      <ServerForm server={sip.server} adopt={(server) => adopt({ ...sip, server })} />
      <CallsForm sip={sip} adopt={adopt} />
      {sip.is_operator && <NetworkForm sip={sip} adopt={adopt} />}
      <Facts sip={sip} />
    </>
  );
}
