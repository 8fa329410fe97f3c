import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { mailTyped } from '#models/forms/mail-settings.ts';
import type { MailDraft } from '#models/forms/mail-settings.ts';
import type { Issue } from '#models/issues.ts';
import { holds } from '#models/permissions.ts';
import type { Problem } from '#models/problem.ts';
import type { ShownMail } from '#models/project-settings.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';

interface TestMailProps {
  draft: MailDraft;
  settings: ShownMail;
  /** Shows what is wrong with the draft. */
  check: () => void;
}
const issuesOf = (problem: Problem | null): readonly Issue[] => (problem?.data as { issues?: readonly Issue[] } | null | undefined)?.issues ?? [];

/** A mail sent through the settings as they are typed, and what the mail server said. */
export function TestMail({ draft, settings, check }: TestMailProps) {
  const words = useText();
  const { t } = words;
  const profile = useProfile();
  const id = useId();
  const [email, setEmail] = useState(profile.email ?? '');
  const test = useRequest('testMail');
  const send = (): void => {
    const read = mailTyped(draft, settings);
    if ('body' in read) test.run({ body: { email: email.trim(), mail_settings: read.body }, timeout: 60_000 });
    else check();
  };
  const [issue] = issuesOf(test.problem);
  const said = issue && sayIssue(words, issue);
  return (
    <section className="card setting-card" aria-labelledby={`${id}-title`}>
      <header className="card-head">
        <h2 id={`${id}-title`}>{t('areas.project-settings.test.title')}</h2>
      </header>
      <div className="setting-body">
        <p className="quiet">{t('areas.project-settings.test.about')}</p>
        {!issue && <ProblemNote problem={test.problem} />}
        <div className="test-mail">
          <FieldFrame id={id} path="email" label={t('areas.project-settings.test.email')} issue={said} required>
            <TextInput
              id={id}
              type="email"
              value={email}
              invalid={said !== undefined}
              aria-describedby={describedBy(id, undefined, said)}
              onChange={({ target }) => setEmail(target.value)}
            />
          </FieldFrame>
          <Button tone="plain" icon="pi-send" label={t('areas.project-settings.test.send')} loading={test.running} onClick={send} />
        </div>
        <div role="status">
          {test.answer?.delivered && <p className="notice">{t('areas.project-settings.test.delivered')}</p>}
          {test.answer && !test.answer.delivered && (
            <div className="notice notice-bad">
              <div>
                {test.answer.reason && <p>{t(`interface.mails.reasons.${test.answer.reason}`)}</p>}
                {test.answer.words && (
                  <p className="small">
                    {t('interface.mails.words')} <q>{test.answer.words}</q>
                  </p>
                )}
              </div>
            </div>
          )}
        </div>
        {holds(actorOf(profile), 'can_view_system_info') && <Link to="/mails">{t('areas.project-settings.test.mails')}</Link>}
      </div>
    </section>
  );
}
