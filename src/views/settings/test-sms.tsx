import { useState } from 'react';
import { type SmsDraft, smsTyped } from '#models/forms/sms-settings.ts';
import type { ShownSms } from '#models/sms.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { TestCard } from './test-card.tsx';

interface TestSmsProps {
  draft: SmsDraft;
  settings: ShownSms;
  /** Shows what is wrong with the draft. */
  check: () => void;
}

/** A text message sent through the settings as they are typed, and what the gateway said. */
export function TestSms({ draft, settings, check }: TestSmsProps) {
  const { t } = useText();
  const [phone, setPhone] = useState('');
  const test = useRequest('testSms');
  const send = (): void => {
    const read = smsTyped(draft, settings);
    if ('body' in read) test.run({ body: { phone: phone.trim(), sms_settings: read.body } });
    else check();
  };
  const { answer } = test;
  const refused = answer && {
    reason: answer.reason && t(`areas.project-settings.sms_reasons.${answer.reason}`),
    saidBy: t('areas.project-settings.test_sms.words'),
    words: answer.words,
  };
  return (
    <TestCard
      title={t('areas.project-settings.test_sms.title')}
      to={{ path: 'phone', label: t('areas.project-settings.test_sms.phone'), type: 'tel', value: phone, change: setPhone }}
      send={{ label: t('areas.project-settings.test_sms.send'), running: test.running, run: send }}
      problem={test.problem}
      outcome={answer?.delivered ? { delivered: t('areas.project-settings.test_sms.delivered') } : (refused ?? null)}
    />
  );
}
