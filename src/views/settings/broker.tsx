import { useContext, useEffect, useState } from 'react';
import type { ShownBroker } from '#models/broker.ts';
import { Button } from '#src/components/button.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { useConfirm } from '../confirm.ts';
import { BrokerUpload } from './broker-upload.tsx';
import { SettingCard, SettingWait, useMayChange } from './setting-form.tsx';

type Shown = NonNullable<ShownBroker['certificate']>;

function Facts({ of }: { of: readonly (readonly [key: string, value: string])[] }) {
  const { t } = useText();
  return (
    <dl className="setting-facts">
      {of.map(([key, value]) => (
        <div key={key} className="setting-fact">
          <dt>{t(`areas.project-settings.broker.facts.${key}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Where devices connect. */
function Places({ broker }: { broker: ShownBroker }) {
  const { t } = useText();
  const closed = t('areas.project-settings.broker.closed');
  const wanted = String(broker.secure_port_setting);
  const silent = broker.certificate ? t('areas.project-settings.broker.port_taken', { port: wanted }) : t('areas.project-settings.broker.no_tls');
  // Where the server has certificate files of its own, its one port is over TLS.
  const isPlain = broker.port !== null && broker.port !== broker.secure_port;
  return (
    <Facts
      of={[
        ...(isPlain || broker.secure_port === null ? [['port', broker.port === null ? closed : String(broker.port)] as const] : []),
        ['secure_port', broker.secure_port === null ? silent : String(broker.secure_port)],
      ]}
    />
  );
}

/** Whose the certificate is, for which names, and until when. */
function Certificate({ certificate }: { certificate: Shown }) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const at = (moment: string): string => exactTime(Date.parse(moment), clockwork, 'HH:mm');
  return (
    <>
      {certificate.state !== 'valid' && (
        <p className={certificate.state === 'expired' ? 'notice notice-bad' : 'notice notice-warn'} role="status">
          {t(`areas.project-settings.broker.${certificate.state}`, { until: at(certificate.valid_to) })}
        </p>
      )}
      <Facts
        of={[
          ['subject', certificate.subject],
          ['names', certificate.names.join(', ') || '—'],
          ['issuer', certificate.issuer],
          ['valid_from', at(certificate.valid_from)],
          ['valid_to', at(certificate.valid_to)],
          ['chain', String(certificate.chain)],
        ]}
      />
    </>
  );
}

function CertificateCard({ broker, adopt }: { broker: ShownBroker; adopt: (broker: ShownBroker) => void }) {
  const { t } = useText();
  const confirm = useConfirm();
  const mayChange = useMayChange() && broker.is_operator;
  const remove = useRequest('removeBrokerCertificate', { done: adopt });
  const { certificate } = broker;
  const ask = async (): Promise<void> => {
    const approved = await confirm({
      title: { key: 'areas.project-settings.broker.remove_question' },
      text: { key: 'areas.project-settings.broker.remove_consequence' },
      approve: { key: 'areas.project-settings.broker.remove' },
      danger: true,
    });
    if (approved) remove.run({});
  };
  return (
    <SettingCard title={t('areas.project-settings.broker.certificate')}>
      {certificate ? <Certificate certificate={certificate} /> : <p className="quiet">{t('areas.project-settings.broker.none')}</p>}
      {!broker.is_operator && <p className="quiet small">{t('areas.project-settings.broker.not_operator')}</p>}
      {mayChange && certificate && (
        <>
          <Button
            tone="plain"
            className="self-start"
            icon="pi-trash"
            label={t('areas.project-settings.broker.remove')}
            loading={remove.running}
            onClick={() => void ask()}
          />
          <ProblemNote problem={remove.problem} />
        </>
      )}
      {mayChange && <BrokerUpload stored={certificate !== null} adopt={adopt} />}
    </SettingCard>
  );
}

/** The broker that devices connect to: where it is, and the certificate it shows them. */
export function BrokerSection() {
  const { t } = useText();
  const { run, answer, problem } = useRequest('brokerSettings');
  const [changed, adopt] = useState<ShownBroker | null>(null);
  useEffect(() => run({}), [run]);
  const broker = changed ?? answer;
  const title = t('areas.project-settings.sections.broker');
  if (!broker) return <SettingWait title={title} problem={problem} />;
  const isOwn = broker.kind === 'embedded';
  return (
    <>
      <SettingCard title={title}>
        <p className="quiet">{t(`areas.project-settings.broker.${isOwn ? 'about' : 'external'}`)}</p>
        {isOwn && <Places broker={broker} />}
      </SettingCard>
      {isOwn && <CertificateCard broker={broker} adopt={adopt} />}
    </>
  );
}
