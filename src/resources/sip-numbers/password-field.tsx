import { useState } from 'react';
import { Button } from '#src/components/button.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { TextCopyDialog } from '#src/components/text-copy-dialog.tsx';
import { useText } from '#src/components/text.ts';
import { SecretField } from '../devices/secret-field.tsx';
import { makePassword } from '../users/make-password.ts';

/** The SIP password of a number: typed, or made and shown once to be put into a phone. */
export function NumberPasswordField(props: FieldProps) {
  const { t } = useText();
  const [made, setMade] = useState<string>();
  const make = () => {
    const fresh = makePassword();
    props.onChange(fresh);
    setMade(fresh);
  };
  return (
    <>
      <SecretField {...props} />
      <Button tone="quiet" icon="pi-key" className="number-make" label={t('areas.sip-numbers.password.make')} onClick={make} />
      {made && (
        <TextCopyDialog
          title={t('areas.sip-numbers.password.made')}
          note={t('areas.sip-numbers.password.made_note')}
          text={made}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  );
}
