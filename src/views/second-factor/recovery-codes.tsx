import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useAlerts } from '../system.ts';

interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** Recovery codes, shown this once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { t } = useText();
  const alerts = useAlerts();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(codes.join('\n'));
    alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'entry.second.codes_copied' } });
  };
  return (
    <div className="second-step">
      <p>{t('entry.second.codes_text')}</p>
      <ol className="recovery-codes" aria-label={t('entry.second.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="second-acts">
        {/* Without https beyond this machine a page has no clipboard. */}
        {'clipboard' in navigator && <Button label={t('entry.second.copy_codes')} icon="pi-copy" tone="plain" onClick={() => void copy()} />}
        <Button label={t('entry.second.codes_done')} onClick={onDone} />
      </div>
    </div>
  );
}
