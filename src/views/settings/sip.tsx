import { useEffect, useState } from 'react';
import { phoneServerForm } from '#models/forms/phone-server.ts';
import type { PhoneServer } from '#models/phone-server.ts';
import type { ShownSip } from '#models/project-settings.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { ServerFields } from '../phone-server/server-fields.tsx';
import { useForm } from '../use-form.ts';
import { SettingForm, SettingWait } from './setting-form.tsx';

/** What the server was started with: told here, changed there. */
function Facts({ sip }: { sip: ShownSip }) {
  const { t } = useText();
  const facts = [
    ['port', String(sip.port)],
    ['udp', sip.udp],
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
        <p className="quiet small">{t('areas.project-settings.sip.note')}</p>
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

/** With which SIP server web phones register, and where this one is reached. */
export function SipSection() {
  const { t } = useText();
  const { run, answer, problem } = useRequest('sipSettings');
  const [changed, adopt] = useState<{ server: PhoneServer | null } | null>(null);
  useEffect(() => run({}), [run]);
  if (!answer) return <SettingWait title={t('areas.project-settings.sections.sip')} problem={problem} />;
  return (
    <>
      <ServerForm server={(changed ?? answer).server} adopt={(server) => adopt({ server })} />
      <Facts sip={answer} />
    </>
  );
}
