import { useSelector } from '@xstate/react';
import { useContext, useMemo } from 'react';
import { flagsOf, type LicenceInfo } from '#models/licence-info.ts';
import type { User } from '#models/users.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { useLicence } from '#src/views/system.ts';

/** Which of the flags that are on for a person have no effect, because neither of their groups has them. */
export function LicenceNote({ row, draft }: PieceProps<User>) {
  const { t } = useText();
  const licenceStatus = useSelector(useLicence(), (snapshot) => snapshot?.context.licenceStatus ?? null);
  const clockwork = useContext(ClockworkContext);
  const again = useMemo(() => ({ version: row?.version, licenceStatus }), [row?.version, licenceStatus]);
  const { answer } = useReading('userLicence', row && { params: { id: row.id } }, { again });
  const ends = row?.license_until ?? null;
  const until = ends !== null && (
    <p className="licence-note" role="note">
      <i className="pi pi-calendar" aria-hidden="true" /> {t('areas.users.licence_until', { date: exactTime(Date.parse(ends), clockwork, 'HH:mm') })}
    </p>
  );
  if (!answer) return until;
  const given = flagsOf(answer);
  const idle = [...flagsOf(draft.license_info as LicenceInfo)].filter(([flag, on]) => on && !given.get(flag));
  if (idle.length === 0) return until;
  return (
    <>
      {until}
      <p className="licence-note" role="note">
        <i className="pi pi-info-circle" aria-hidden="true" />{' '}
        {t('areas.users.licence_without_effect', { features: idle.map(([flag]) => t(`areas.users.fields.license_info.${flag}`)).join(', ') })}
      </p>
    </>
  );
}
