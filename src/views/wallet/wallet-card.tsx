import { useContext, useEffect, useId, useState } from 'react';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import type { WalletCertificate, WalletSettings } from '#models/wallet.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { FieldFrame } from '#src/components/fields/field-frame.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { SettingCard } from '../settings/setting-form.tsx';
import { WalletLookForm } from './wallet-look.tsx';
import './wallet.css';

/** What is told of the certificate: for which passes, whose, until when. */
function CertificateFacts({ certificate }: { certificate: WalletCertificate }) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const until = exactTime(Date.parse(certificate.valid_to), clockwork, 'HH:mm');
  return (
    <dl className="facts">
      {(
        [
          ['pass_type', certificate.pass_type],
          ['team', certificate.team],
          ['issuer', certificate.issuer],
          ['valid_to', until],
        ] as const
      ).map(([key, value]) => (
        <div key={key} className="fact">
          <dt>{t(`areas.wallet.certificate.${key}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is wrong with the file, where the server says it. */
const issueIn = (problem: Problem | null): Issue | undefined => (problem?.data as { issues?: readonly Issue[] } | null | undefined)?.issues?.[0];

/** A PEM file, with the passphrase of its key where it has one. What is stored is never read back. */
function Upload({ stored, adopt }: { stored: boolean; adopt: (settings: WalletSettings) => void }) {
  const words = useText();
  const { t } = words;
  const passId = useId();
  const [passphrase, type] = useState('');
  const upload = useRequest('setWalletCertificate', { done: adopt });
  const remove = useRequest('removeWalletCertificate', { done: adopt });
  const problem = upload.problem ?? remove.problem;
  const issue = issueIn(problem);
  const dialog = useFileDialog('.pem', t('areas.wallet.certificate.choose'), (certificate) =>
    upload.run({ files: { certificate }, body: passphrase ? { passphrase } : {} }),
  );
  return (
    <div className="wallet-upload">
      <FieldFrame id={passId} path="passphrase" label={t('areas.wallet.certificate.passphrase')} required={false}>
        <TextInput id={passId} type="password" autoComplete="off" maxLength={255} value={passphrase} onChange={({ target }) => type(target.value)} />
      </FieldFrame>
      {dialog.field}
      <div className="row">
        <Button
          tone="plain"
          icon="pi-upload"
          label={t(`areas.wallet.certificate.${stored ? 'replace' : 'choose'}`)}
          loading={upload.running}
          onClick={dialog.open}
        />
        {stored && (
          <Button tone="plain" icon="pi-trash" label={t('areas.wallet.certificate.remove')} loading={remove.running} onClick={() => remove.run({})} />
        )}
      </div>
      {issue ? (
        <p className="field-issue" role="alert">
          {sayIssue(words, issue)}
        </p>
      ) : (
        <ProblemNote problem={problem} />
      )}
    </div>
  );
}

/** Wallet passes of the project: what signs them, and how they look. */
export function WalletCard() {
  const { t } = useText();
  const mayChange = hasPermission(actorOf(useProfile()), 'can_change_project_settings');
  const read = useRequest('wallet');
  const { run } = read;
  const [changed, adopt] = useState<WalletSettings | null>(null);
  useEffect(() => run({}), [run]);
  const settings = changed ?? read.answer;
  return (
    <SettingCard title={t('areas.wallet.title')}>
      <p className="quiet">{t('areas.wallet.about')}</p>
      <ProblemNote problem={read.problem} />
      {!settings && !read.problem && <SkeletonLines label={t('areas.wallet.title')} />}
      {settings && (
        <>
          {settings.certificate ? (
            <CertificateFacts certificate={settings.certificate} />
          ) : (
            <p className="quiet">{t('areas.wallet.certificate.none')}</p>
          )}
          {mayChange && <Upload stored={settings.certificate !== null} adopt={adopt} />}
          {mayChange && <WalletLookForm look={settings.look} adopt={adopt} />}
        </>
      )}
    </SettingCard>
  );
}
