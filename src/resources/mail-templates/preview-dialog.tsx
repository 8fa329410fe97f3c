import { useEffect, useId, useState } from 'react';
import { templateMailForm, type WrittenTemplate } from '#models/forms/template-mail.ts';
import type { Issue } from '#models/issues.ts';
import type { MailTypeId } from '#models/mail-templates.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { issueOf, useForm } from '#src/views/use-form.ts';
import { useSubmit } from '#src/views/use-submit.ts';

/** A template as it is being written. */
export interface TemplateDraft {
  mail_type_id: MailTypeId;
  locale: 'en' | 'ru';
  domain_id: { id: string } | null;
  subject: string;
  body: string;
}
const issuesOf = (data: unknown): readonly Issue[] => (data as { issues?: readonly Issue[] } | null | undefined)?.issues ?? [];

/** What is wrong, with the field that it is wrong with: the dialog stands away from it. */
function sayWrong(words: ReturnType<typeof useText>, issue: Issue): string {
  const label = `areas.mail-templates.fields.${String(issue.path.at(-1))}`;
  return words.has(label) ? `${words.t(label)}: ${sayIssue(words, issue)}` : sayIssue(words, issue);
}

/** The mail as the template would have it, and sending it to see how it arrives. */
export function PreviewDialog({ draft, onClose }: { draft: TemplateDraft; onClose: () => void }) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const profile = useProfile();
  const { run, answer, problem } = useRequest('previewMail');
  const [template] = useState((): WrittenTemplate => {
    const { mail_type_id, locale, domain_id, subject, body } = draft;
    return { mail_type_id, locale, domain_id: domain_id?.id ?? null, subject, body };
  });
  useEffect(() => run({ body: template }), [run, template]);
  const send = useForm(templateMailForm, { email: profile.email ?? '', template });
  const submit = useSubmit(send);
  const address = issueOf(send.issues, 'email');
  const said = address && sayIssue(words, address);
  const wrong = [...issuesOf(problem?.data), ...send.issues.filter((issue) => issue !== address)];
  return (
    <Modal
      title={t('areas.mail-templates.preview_title')}
      width="wide"
      onDismiss={onClose}
      footer={<Button tone="plain" label={t('areas.mail-templates.close')} onClick={onClose} />}
    >
      {wrong.map((issue) => (
        <p key={`${issue.path.join('.')} ${issue.rule}`} className="field-issue" role="alert">
          {sayWrong(words, issue)}
        </p>
      ))}
      {wrong.length === 0 && !said && <ProblemNote problem={problem ?? send.problem} />}
      {!answer && !problem && <SkeletonLines label={t('areas.mail-templates.preview_title')} />}
      {answer && (
        <div className="template-preview">
          <h3>{answer.subject}</h3>
          <pre>{answer.text}</pre>
          <form className="template-send" {...submit}>
            <FieldFrame id={id} path="email" label={t('areas.mail-templates.to')} issue={said} required>
              <TextInput
                id={id}
                type="email"
                value={send.draft.email}
                invalid={said !== undefined}
                aria-describedby={describedBy(id, undefined, said)}
                onChange={({ target }) => send.change({ email: target.value })}
              />
            </FieldFrame>
            <Button type="submit" icon="pi-send" tone="plain" label={t('areas.mail-templates.send')} loading={send.running} />
          </form>
          <div role="status">
            {send.answer?.delivered && <p>{t('areas.mail-templates.delivered')}</p>}
            {send.answer?.reason && <p className="field-issue">{t(`notifications.mails.reasons.${send.answer.reason}`)}</p>}
            {send.answer?.words && <q className="small">{send.answer.words}</q>}
          </div>
        </div>
      )}
    </Modal>
  );
}
