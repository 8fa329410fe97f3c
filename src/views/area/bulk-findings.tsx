import { type AreaName, areaOf } from '#models/areas.ts';
import type { BulkFindings } from '#models/bulk.ts';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useReading } from './use-reading.ts';

/** Who is among many rows, and what uses them. */
export function BulkWarnings({ found: { yourself, administrators, uses } }: { found: BulkFindings }) {
  const { t } = useText();
  if (!yourself && administrators === 0 && uses.length === 0) return null;
  return (
    <div className="notice notice-warn" role="alert">
      <i className="pi pi-exclamation-triangle" aria-hidden="true" />
      <div>
        {yourself && <p>{t('list.bulk.yourself')}</p>}
        {administrators > 0 && <p>{t('list.bulk.administrators', { count: administrators })}</p>}
        {uses.map(({ area, total }) => (
          <p key={area}>{t('list.bulk.uses', { what: t(`areas.${area}.count`, { count: total }) })}</p>
        ))}
      </div>
    </div>
  );
}

/** The same of rows that were chosen one by one and are to be deleted, asked for before they are. */
export function ChosenFindings({ area, ids }: { area: AreaName; ids: readonly string[] }) {
  const { t } = useText();
  const { answer, problem } = useReading('checkBulk', { params: { area: areaOf(area).path }, body: { action: 'delete', items: [...ids] } });
  if (problem) return <p className="quiet">{t('list.dependants.failed')}</p>;
  if (!answer) return <SkeletonLines lines={2} label={t('list.dependants.looking')} />;
  return <BulkWarnings found={answer} />;
}
