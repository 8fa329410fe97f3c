import { useEffect } from 'react';
import type { MailTypeId } from '#models/mail-templates.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import './mail-templates.css';

/** Begins with the mail as it goes out without a template: its subject as well as its text. */
export function BuiltInText({ draft, mode, change }: PieceProps) {
  const { t } = useText();
  const { run, answer: types } = useRequest('mailTypes');
  useEffect(() => run({}), [run]);
  const type = types?.find((one) => one.id === (draft['mail_type_id'] as MailTypeId));
  if (mode === 'view') return null;
  const fill = (): void => {
    const { subject, body } = type?.texts[draft['locale'] === 'ru' ? 'ru' : 'en'] ?? { subject: '', body: '' };
    change('subject', subject);
    change('body', body);
  };
  return (
    <div className="template-begin">
      <Button tone="plain" small label={t('areas.mail-templates.built_in')} disabled={!type} onClick={fill} />
    </div>
  );
}
