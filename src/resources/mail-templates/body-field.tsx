import { useEffect, useState } from 'react';
import type { MailTypeId } from '#models/mail-templates.ts';
import { Button } from '#src/components/button.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { TextArea } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { PreviewDialog, type TemplateDraft } from './preview-dialog.tsx';
import './mail-templates.css';

/** The text of a mail: what it can name is a press away, and how it will look too. */
export function BodyField({ id, path, value, onChange, readOnly, invalid, describedBy, draft }: FieldProps) {
  const { t } = useText();
  const { run, answer: types } = useRequest('mailTypes');
  const [previewing, setPreviewing] = useState(false);
  useEffect(() => run({}), [run]);
  const text = typeof value === 'string' ? value : '';
  const type = types?.find((one) => one.id === (draft['mail_type_id'] as MailTypeId));
  return (
    <div className="template-body">
      <TextArea
        id={id}
        name={path}
        rows={12}
        value={text}
        readOnly={readOnly}
        invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.value)}
      />
      {type && !readOnly && (
        <div className="template-words" role="group" aria-label={t('areas.mail-templates.placeholders')}>
          <span className="quiet small">{t('areas.mail-templates.placeholders')}</span>
          {type.placeholders.map((word) => (
            <button key={word} type="button" className="template-word" onClick={() => onChange(`${text}{{${word}}}`)}>
              {`{{${word}}}`}
              {type.required.includes(word) && <span className="quiet"> {t('areas.mail-templates.required')}</span>}
            </button>
          ))}
        </div>
      )}
      <div className="row">
        <Button tone="plain" small icon="pi-eye" label={t('areas.mail-templates.preview')} onClick={() => setPreviewing(true)} />
      </div>
      {previewing && <PreviewDialog draft={draft as unknown as TemplateDraft} onClose={() => setPreviewing(false)} />}
    </div>
  );
}
