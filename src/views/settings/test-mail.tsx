import { useState } from 'react';
import { Link } from 'react-router-dom';
import { mailTyped } from '#models/forms/mail-settings.ts';
import type { MailDraft } from '#models/forms/mail-settings.ts';
import { hasPermission } from '#models/permissions.ts';
import type { ShownMail } from '#models/mail-settings.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { TestCard } from './test-card.tsx';

interface TestMailProps {
  draft: MailDraft;
  settings: ShownMail;
  /** Shows what is wrong with the draft. */
  check: () => void;
}

/** A mail sent through the settings as they are typed, and what the mail server said. */
export function TestMail({ draft, settings, check }: TestMailProps) {
  const { t } = useText();
  const profile = useProfile();
  const [email, setEmail] = useState(profile.email ?? '');
  const test = useRequest('testMail');
  const send = (): void => {
    const read = mailTyped(draft, settings);
    if ('body' in read) test.run({ body: { email: email.trim(), mail_settings: read.body } });
    else check();
  };
  const { answer } = test;
  const refused = answer && {
    reason: answer.reason && t(`notifications.mails.reasons.${answer.reason}`),
    saidBy: t('notifications.mails.words'),
    words: answer.words,
  };
  return (
    <TestCard
      title={t('areas.project-settings.test.title')}
      to={{ path: 'email', label: t('areas.project-settings.test.email'), type: 'email', value: email, change: setEmail }}
      send={{ label: t('areas.project-settings.test.send'), running: test.running, run: send }}
      problem={test.problem}
      outcome={answer?.delivered ? { delivered: t('areas.project-settings.test.delivered') } : (refused ?? null)}
    >
      {hasPermission(actorOf(profile), 'can_view_system_info') && <Link to="/mails">{t('areas.project-settings.test.mails')}</Link>}
    </TestCard>
  );
}
