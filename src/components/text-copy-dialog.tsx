import { TextArea } from '#src/components/text-input.tsx';
import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';
import { useText } from './text.ts';

interface TextCopyDialogProps {
  title: string;
  text: string;
  note?: string | undefined;
  onClose: () => void;
}

/** Shows a text that is to be taken elsewhere, with a button that copies it. */
export function TextCopyDialog({ title, text, note, onClose }: TextCopyDialogProps) {
  const { t } = useText();
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = () => {
    field.current?.select();
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  };
  return (
    <Modal
      title={title}
      onDismiss={onClose}
      footer={
        <>
          <Button type="button" tone="plain" label={t('list.close')} onClick={onClose} />
          <Button
            type="button"
            icon={outcome === 'copied' ? 'pi-check' : 'pi-copy'}
            label={t(outcome === 'copied' ? 'list.copy.copied' : 'list.copy.copy')}
            onClick={copy}
          />
        </>
      }
    >
      {note && <p className="quiet">{note}</p>}
      <TextArea ref={field} readOnly className="copy-text" rows={Math.min(6, Math.ceil(text.length / 48))} value={text} aria-label={title} />
      <p role="status" className="field-hint">
        {outcome === 'failed' && t('list.copy.failed')}
      </p>
    </Modal>
  );
}
