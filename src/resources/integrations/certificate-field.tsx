import { useState } from 'react';
import { storedPassword } from '#models/stored-password.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';

const most = 65_536;

/** A certificate file: its text goes into the draft, what is stored is never read back. */
export function CertificateField({ id, label, value, onChange, describedBy }: FieldProps) {
  const { t } = useText();
  const [isWrong, setWrong] = useState(false);
  const take = async (file: File) => {
    const text = file.size > most ? '' : await file.text();
    const fits = text.includes('-----BEGIN ');
    setWrong(!fits);
    if (fits) onChange(text);
  };
  const dialog = useFileDialog('.pem,.crt,.cer,.key', t('areas.integrations.file.choose'), (file) => void take(file));
  return (
    <div className="certificate" aria-describedby={describedBy} role="group" aria-label={label}>
      {typeof value === 'string' && value !== '' && (
        <span className="certificate-name">
          <i className="pi pi-file" aria-hidden="true" />{' '}
          {t(value === storedPassword ? 'areas.integrations.file.stored' : 'areas.integrations.file.chosen')}
        </span>
      )}
      {dialog.field}
      <Button id={id} tone="plain" small icon="pi-upload" label={t('areas.integrations.file.choose')} onClick={dialog.open} />
      {value !== null && (
        <button type="button" className="icon-button" aria-label={t('areas.integrations.file.remove')} onClick={() => onChange(null)}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      )}
      {isWrong && (
        <p className="field-issue" role="alert">
          {t('areas.integrations.file.wrong')}
        </p>
      )}
    </div>
  );
}
