import { useId, useState } from 'react';
import { type SmsDraft, smsTyped } from '#models/forms/sms-settings.ts';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import type { ShownSms } from '#models/sms.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

interface TestSmsProps {
  draft: SmsDraft;
  settings: ShownSms;
  /** Shows what is wrong with the draft. */
  check: () => void;
}
const issuesOf = (problem: Problem | null): readonly Issue[] => (problem?.data as { issues?: readonly Issue[] } | null | undefined)?.issues ?? [];

/** A text message sent through the settings as they are typed, and what the gateway said. */
export function TestSms({ draft, settings, check }: TestSmsProps) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const [phone, setPhone] = useState('');
  const test = useRequest('testSms');
  const send = (): void => {
    const read = smsTyped(draft, settings);
    if ('body' in read) test.run({ body: { phone: phone.trim(), sms_settings: read.body }, timeout: 30_000 });
    else check();
  };
  const [issue] = issuesOf(test.problem);
  const said = issue && sayIssue(words, issue);
  return (
    <section className="card setting-card" aria-labelledby={`${id}-title`}>
      <header className="card-head">
        <h2 id={`${id}-title`}>{t('areas.project-settings.test_sms.title')}</h2>
      </header>
      <div className="setting-body">
        <p className="quiet">{t('areas.project-settings.test.about')}</p>
        {!issue && <ProblemNote problem={test.problem} />}
        <div className="test-mail">
          <FieldFrame id={id} path="phone" label={t('areas.project-settings.test_sms.phone')} issue={said} required>
            <TextInput
              id={id}
              type="tel"
              autoComplete="off"
              value={phone}
              invalid={said !== undefined}
              aria-describedby={describedBy(id, undefined, said)}
              onChange={({ target }) => setPhone(target.value)}
            />
          </FieldFrame>
          <Button tone="plain" icon="pi-send" label={t('areas.project-settings.test_sms.send')} loading={test.running} onClick={send} />
        </div>
        <div role="status">
          {test.answer?.delivered && <p className="notice">{t('areas.project-settings.test_sms.delivered')}</p>}
          {test.answer && !test.answer.delivered && (
            <div className="notice notice-bad">
              <div>
                {test.answer.reason && <p>{t(`areas.project-settings.sms_reasons.${test.answer.reason}`)}</p>}
                {test.answer.words && (
                  <p className="small">
                    {t('areas.project-settings.test_sms.words')} <q dir="auto">{test.answer.words}</q>
                  </p>
                )}
              </div>
            </div>
          )}
        </div>
      </div>
    </section>
  );
}
