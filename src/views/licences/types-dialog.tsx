import { licenceTypes } from '#models/consistency.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useText } from '#src/components/text.ts';

/** What each type of licence is for, and what its states mean (spec A2.4). */
export function TypesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal title={t('areas.licenses.types_info')} onDismiss={onClose} footer={<Button tone="plain" label={t('list.close')} onClick={onClose} />}>
      <dl className="types-info">
        {licenceTypes.map((type) => (
          <div key={type}>
            <dt>{t(`list.licences.types.${type}`)}</dt>
            <dd>{t(`areas.licenses.types.${type}`)}</dd>
          </div>
        ))}
        {(['ending', 'grace', 'together', 'groups'] as const).map((topic) => (
          <div key={topic}>
            <dt>{t(`areas.licenses.explained.${topic}.title`)}</dt>
            <dd>{t(`areas.licenses.explained.${topic}.text`)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
