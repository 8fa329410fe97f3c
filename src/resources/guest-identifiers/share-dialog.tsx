import { useId, useState } from 'react';
import { guestMailForm } from '#models/forms/guest-mail.ts';
import type { GuestIdentifier } from '#models/guest-access.ts';
import { Button } from '#src/components/button.tsx';
import { CodeLink } from '#src/components/code-link.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { QrCode } from '#src/components/qr-code.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useAlerts } from '#src/views/system.ts';
import { issueOf, useForm } from '#src/views/use-form.ts';
import { useSubmit } from '#src/views/use-submit.ts';
import './guests.css';

/** Sends the link to an address. */
function SendLink({ id }: { id: string }) {
  const words = useText();
  const { t, locale } = words;
  const alerts = useAlerts();
  const fieldId = useId();
  const [sentTo, setSentTo] = useState('');
  const { draft, issues, problem, running, change, save } = useForm(guestMailForm, { id, locale }, () =>
    alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'areas.guest-identifiers.share.sent', params: { email: sentTo } } }),
  );
  const submit = useSubmit({
    issues,
    running,
    save: () => {
      setSentTo(draft.email.trim());
      save();
    },
  });
  const found = issueOf(issues, 'email');
  const issue = found && sayIssue(words, found);
  return (
    <form {...submit}>
      <FieldFrame id={fieldId} path="email" label={t('areas.guest-identifiers.share.email')} issue={issue} required={false}>
        <span className="share-line">
          <TextInput
            id={fieldId}
            type="email"
            inputMode="email"
            autoComplete="off"
            value={draft.email}
            invalid={issue !== undefined}
            aria-describedby={describedBy(fieldId, undefined, issue)}
            onChange={({ target }) => change({ email: target.value })}
          />
          <Button type="submit" tone="plain" icon="pi-envelope" label={t('areas.guest-identifiers.share.send')} loading={running} />
        </span>
      </FieldFrame>
      {!issue && <ProblemNote problem={problem} />}
    </form>
  );
}

/** How a guest gets the key: a link to copy, to scan or to send, and the code for a keypad. */
export default function ShareDialog({ row, close }: { row: GuestIdentifier; close: () => void }) {
  const { t } = useText();
  const href = new URL(row.url ?? '', location.origin).href;
  return (
    <Modal title={row.name} onDismiss={close} footer={<Button tone="plain" label={t('list.close')} onClick={close} />}>
      <div className="stack">
        <p className="quiet">{t('areas.guest-identifiers.share.note')}</p>
        {row.type === 'access_code' && (
          <p className="guest-code">
            {t('areas.identifiers.options.type.access_code')} <strong>{row.value}</strong>
          </p>
        )}
        <QrCode text={href} label={t('areas.guest-identifiers.share.code', { name: row.name })} />
        <CodeLink href={href} label={t('areas.identifiers.code.link')} />
        <SendLink id={row.id} />
      </div>
    </Modal>
  );
}
