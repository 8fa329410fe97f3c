import { useId, useState } from 'react';
import type { ShownBroker } from '#models/broker.ts';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

const parts = ['certificate', 'key', 'chain'] as const;
type Part = (typeof parts)[number];
type Chosen = Partial<Record<Part, File>>;
const issuesOf = (problem: Problem | null): readonly Issue[] => (problem?.data as { issues?: readonly Issue[] } | null | undefined)?.issues ?? [];

/** One PEM file: what it is for, which one was chosen, and what is wrong with it. */
function FileLine({ part, file, issue, choose }: { part: Part; file: File | undefined; issue: string | undefined; choose: (file: File) => void }) {
  const { t } = useText();
  const id = useId();
  const label = t(`areas.project-settings.broker.files.${part}`);
  const hint = t(`areas.project-settings.broker.files.${part}_hint`);
  const dialog = useFileDialog('.pem,.crt,.cer,.key', label, choose);
  return (
    <FieldFrame id={id} path={part} label={label} hint={hint} issue={issue} required={part === 'certificate'} wide>
      <div className="broker-file">
        {dialog.field}
        <Button
          id={id}
          tone="plain"
          small
          label={t('areas.project-settings.broker.choose')}
          aria-label={`${label}: ${t('areas.project-settings.broker.choose')}`}
          aria-describedby={describedBy(id, hint, issue)}
          onClick={dialog.open}
        />
        <span className={file ? 'broker-name' : 'quiet'}>{file ? file.name : t('areas.project-settings.broker.no_file')}</span>
      </div>
    </FieldFrame>
  );
}

/** The files of a certificate for the broker, sent together; what is stored is never read back. */
export function BrokerUpload({ stored, adopt }: { stored: boolean; adopt: (broker: ShownBroker) => void }) {
  const words = useText();
  const { t } = words;
  const passId = useId();
  const [chosen, choose] = useState<Chosen>({});
  const [passphrase, type] = useState('');
  const upload = useRequest('setBrokerCertificate', {
    done: (broker) => {
      choose({});
      type('');
      adopt(broker);
    },
  });
  const issues = issuesOf(upload.problem);
  const issueOf = (path: string): string | undefined => {
    const found = issues.find((issue) => issue.path.at(-1) === path);
    return found && sayIssue(words, found);
  };
  const send = (): void => {
    const { certificate } = chosen;
    if (certificate) upload.run({ files: { ...chosen, certificate }, body: passphrase === '' ? {} : { passphrase } });
  };
  const passIssue = issueOf('passphrase');
  return (
    <form
      className="setting-part"
      noValidate
      aria-label={t(`areas.project-settings.broker.${stored ? 'replace' : 'upload'}`)}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {parts.map((part) => (
        <FileLine key={part} part={part} file={chosen[part]} issue={issueOf(part)} choose={(file) => choose({ ...chosen, [part]: file })} />
      ))}
      <FieldFrame id={passId} path="passphrase" label={t('areas.project-settings.broker.passphrase')} issue={passIssue} required={false}>
        <PasswordInput
          id={passId}
          value={passphrase}
          autoComplete="new-password"
          invalid={passIssue !== undefined}
          describedBy={describedBy(passId, undefined, passIssue)}
          onChange={type}
        />
      </FieldFrame>
      {issues.length === 0 && <ProblemNote problem={upload.problem} />}
      <Button
        type="submit"
        className="self-start"
        icon="pi-upload"
        label={t(`areas.project-settings.broker.${stored ? 'replace' : 'upload'}`)}
        disabled={!chosen.certificate}
        loading={upload.running}
      />
    </form>
  );
}
