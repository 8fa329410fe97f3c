import { Button } from '#src/components/button.tsx';
import { useState } from 'react';
import type { MobileClient, User } from '#models/users.ts';
import { Modal } from '#src/components/modal.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';

/** The platforms an app tells of, as their makers write them. */
const platforms: Partial<Record<string, string>> = { ios: 'iOS', android: 'Android' };
const platformOf = ({ platform }: MobileClient): string => platforms[platform.toLowerCase()] ?? platform;

const facts = ['client_id', 'platform', 'info', 'auth_time', 'vendor_id', 'sip_number', 'ukey2'] as const;

function ClientDialog({ client, onClose }: { client: MobileClient; onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal title={t('areas.users.client_info')} onDismiss={onClose} footer={<Button tone="plain" label={t('list.close')} onClick={onClose} />}>
      <dl className="facts">
        {facts.map((fact) => (
          <div key={fact} className="fact">
            <dt>{t(`areas.users.fields.mobile_clients.${fact}`)}</dt>
            <dd>
              {fact === 'auth_time' ? (
                <When at={client.auth_time} exact />
              ) : fact === 'platform' ? (
                platformOf(client)
              ) : (
                (client[fact] ?? t('list.none'))
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

/** The phones on which the person has signed in; each opens what is known of it. */
export function MobileClients({ row }: PieceProps<User>) {
  const { t } = useText();
  const [shown, setShown] = useState<MobileClient>();
  if (!row) return null;
  if (row.mobile_clients.length === 0) return <p className="field-value-none">{t('areas.users.no_clients')}</p>;
  return (
    <>
      <ul className="lines">
        {row.mobile_clients.map((client) => (
          <li key={client.id}>
            <button type="button" className="line-button" onClick={() => setShown(client)}>
              <i className="pi pi-mobile" aria-hidden="true" />
              <span>
                {client.info || platformOf(client)}
                <span className="cell-sub">{platformOf(client)}</span>
              </span>
              <span className="line-end">
                <When at={client.auth_time} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <ClientDialog client={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
