import { useSyncExternalStore } from 'react';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useText } from '#src/components/text.ts';
import { keyName, shortcutActs, withDefaults } from '../phone/shortcuts.ts';
import { usePhone, useServices } from '../system.ts';
import './palette.css';

const Key = ({ name }: { name: string }) => (
  <dd>
    <kbd>{name}</kbd>
  </dd>
);

/** The phone's keys as the person has them; what has none is left out. */
function PhoneKeys() {
  const { t } = useText();
  const { phoneDesk } = useServices();
  const keys = withDefaults(useSyncExternalStore(phoneDesk.follow, phoneDesk.get).keys);
  return (
    <>
      <h3 className="keys-part">{t('shell.keys.calls')}</h3>
      <dl className="keys-list">
        {shortcutActs.map((act) => {
          const key = keys[act];
          return (
            key !== null && (
              <div key={act} className="keys-row">
                <dt>{t(`phone.shortcuts.${act}`)}</dt>
                <Key name={keyName(key)} />
              </div>
            )
          );
        })}
      </dl>
      <p className="field-hint">{t('shell.keys.change')}</p>
    </>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const general: readonly [what: string, key: string][] = [
  ['palette', isApple ? '⌘ K' : 'Ctrl + K'],
  ['keys', '?'],
  ['search', '/'],
  ['close', 'Esc'],
];

/** All keys at a glance. */
export default function KeysSheet({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const phone = usePhone();
  return (
    <Modal
      title={t('shell.keys.title')}
      width="normal"
      onDismiss={onClose}
      footer={<Button data-focus tone="plain" label={t('shell.keys.done')} onClick={onClose} />}
    >
      <h3 className="keys-part">{t('shell.keys.everywhere')}</h3>
      <dl className="keys-list">
        {general.map(([what, key]) => (
          <div key={what} className="keys-row">
            <dt>{t(`shell.keys.${what}`)}</dt>
            <Key name={key} />
          </div>
        ))}
      </dl>
      {phone && <PhoneKeys />}
    </Modal>
  );
}
