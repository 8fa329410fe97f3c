import { useSelector } from '@xstate/react';
import { Button } from '#src/components/button.tsx';
import { useId, useState } from 'react';
import type { ListActor } from '#machines/list/list.machine.ts';
import { type ExportFormat, exportFormats } from '#models/job.ts';
import { Modal } from '#src/components/modal.tsx';
import { isUncounted, mostCounted } from '#models/areas.ts';
import { useText } from '#src/components/text.ts';
import type { ListAddress } from './list-address.ts';
import type { AnyResource } from './resource.ts';
import { chosenColumns } from './use-columns.tsx';

interface ExportDialogProps {
  resource: AnyResource;
  list: ListActor;
  address: ListAddress;
  onClose: () => void;
}

/** Chooses the format, then has all rows that match written to a file. */
export default function ExportDialog({ resource, list, address, onClose }: ExportDialogProps) {
  const { t } = useText();
  const name = useId();
  const contents = useId();
  const [format, setFormat] = useState<ExportFormat>('xlsx');
  const [isReadable, setReadable] = useState(true);
  // A program reads fields and codes.
  const isForPeople = isReadable && format !== 'json';
  const total = useSelector(list, ({ context }) => context.total);
  const isMore = isUncounted(resource.area, total);
  const start = () => {
    const columns = chosenColumns(resource, address.columns).flatMap(({ key, shows = [] }) => [key, ...shows]);
    list.send({ type: 'rows.export', format, columns: [...new Set(columns)], readable: isForPeople });
    onClose();
  };
  return (
    <Modal
      title={t('list.export.title')}
      onDismiss={onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
          <Button label={isMore ? t('list.export.all') : t('list.export.button', { count: total })} onClick={start} />
        </>
      }
    >
      <p className="quiet">{isMore ? t('list.export.what_all', { total: mostCounted }) : t('list.export.what', { count: total })}</p>
      <fieldset className="field-block export-formats">
        <legend className="unseen">{t('list.export.format')}</legend>
        {exportFormats.map((option) => (
          <label key={option} className="field-flag">
            <input type="radio" className="check" name={name} checked={format === option} onChange={() => setFormat(option)} />
            <span>{t(`list.export.formats.${option}`)}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className="field-block export-formats" disabled={format === 'json'}>
        <legend className="unseen">{t('list.export.contents')}</legend>
        {[true, false].map((option) => (
          <label key={String(option)} className="field-flag">
            <input type="radio" className="check" name={contents} checked={isForPeople === option} onChange={() => setReadable(option)} />
            <span>{t(option ? 'list.export.readable' : 'list.export.raw')}</span>
          </label>
        ))}
      </fieldset>
    </Modal>
  );
}
