import { type DragEvent, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { useText } from '#src/components/text.ts';
import type { Licences } from './use-overview.ts';

/** Whether files are held over the place, and what takes them in. */
function useDrop(take: (file: File) => void) {
  const [over, setOver] = useState(false);
  const hold = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
  };
  return { over, place: { onDragEnter: hold, onDragOver: hold, onDragLeave: () => setOver(false), onDrop: drop } };
}

/** Adding a licence: a file dropped or chosen, or what the vendor's cloud has. Why it was refused stays to be read. */
export function AddLicence({ licences, hasCloud }: { licences: Licences; hasCloud: boolean }) {
  const { t } = useText();
  const { adding, refused, addFile, addFromCloud } = licences;
  const dialog = useFileDialog('.lic,.json,.txt,application/json', t('areas.licenses.choose_file'), addFile);
  const { over, place } = useDrop((file) => adding === null && addFile(file));
  return (
    <section className="card" aria-labelledby="add-licence-title">
      <header className="card-head">
        <h2 id="add-licence-title">{t('areas.licenses.add')}</h2>
      </header>
      <div className="card-body stack">
        <div className={over ? 'drop drop-over' : 'drop'} {...place}>
          <i className="pi pi-file-import" aria-hidden="true" />
          <span>{t('areas.licenses.drop')}</span>
          {dialog.field}
          <Button
            tone="plain"
            icon="pi-upload"
            label={t('areas.licenses.choose_file')}
            loading={adding === 'file'}
            disabled={adding === 'cloud'}
            onClick={dialog.open}
          />
        </div>
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
