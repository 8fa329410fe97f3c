import { useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { TextCopyDialog } from '#src/components/text-copy-dialog.tsx';
import { useText } from '#src/components/text.ts';

/** The id that the vendor binds licences to, with a way to take it along. */
export function InstanceId({ id }: { id: string }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <section className="card licences-later" aria-labelledby="instance-title">
      <header className="card-head">
        <h2 id="instance-title">{t('areas.licenses.instance')}</h2>
      </header>
      <div className="card-body stack">
        <p className="quiet small">{t('areas.licenses.instance_hint')}</p>
        <code className="instance-id">{id}</code>
        <Button tone="plain" small icon="pi-copy" label={t('areas.licenses.copy_instance')} onClick={() => setOpen(true)} />
      </div>
      {open && (
        <TextCopyDialog title={t('areas.licenses.instance')} text={id} note={t('areas.licenses.instance_hint')} onClose={() => setOpen(false)} />
      )}
    </section>
  );
}
