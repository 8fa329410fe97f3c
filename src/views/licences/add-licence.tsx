import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { FileDrop } from '#src/components/file-drop.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import type { Licences } from './use-overview.ts';

/** Adding a licence: a file dropped or chosen, or what the vendor's cloud has. Why it was refused stays to be read. */
export function AddLicence({ licences, hasCloud }: { licences: Licences; hasCloud: boolean }) {
  const { t } = useText();
  const { adding, refused, addFile, addFromCloud } = licences;
  const dialog = useFileDialog('.lic,.json,.txt,application/json', t('areas.licenses.choose_file'), addFile);
  return (
    <section className="card" aria-labelledby="add-licence-title">
      <header className="card-head">
        <h2 id="add-licence-title">{t('areas.licenses.add')}</h2>
      </header>
      <div className="card-body stack">
        <FileDrop text={t('areas.licenses.drop')} disabled={adding !== null} onFile={addFile}>
          {dialog.field}
          <Button
            tone="plain"
            icon="pi-upload"
            label={t('areas.licenses.choose_file')}
            loading={adding === 'file'}
            disabled={adding === 'cloud'}
            onClick={dialog.open}
          />
        </FileDrop>
        {hasCloud && (
          <div className="row licence-cloud">
            <span className="quiet small grow">{t('areas.licenses.cloud_hint')}</span>
            <Button
              tone="plain"
              icon="pi-cloud-download"
              label={t('areas.licenses.from_cloud')}
              loading={adding === 'cloud'}
              disabled={adding === 'file'}
              onClick={addFromCloud}
            />
          </div>
        )}
        {refused && (
          <p className="field-issue licence-refused" role="alert">
            <ProblemText problem={refused} />
          </p>
        )}
      </div>
    </section>
  );
}
