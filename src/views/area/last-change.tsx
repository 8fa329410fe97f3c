import { useContext } from 'react';
import { type AreaName, areaOf } from '#models/areas.ts';
import { clockAt } from '#models/zone.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import { useReading } from './use-reading.ts';

/** Who has stored a row last, and at what time: read anew with each version. */
export function LastChange({ area, id, version }: { area: AreaName; id: string; version: unknown }) {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  const { answer } = useReading('lastChange', { params: { area: areaOf(area).path, id } }, { again: version });
  if (!answer?.user) return null;
  const at = Date.parse(answer.at);
  const isToday = clockAt(clockwork, at).isSame(clockAt(clockwork, clockwork.now()), 'day');
  const time = isToday ? clockAt(clockwork, at).format('HH:mm') : exactTime(at, clockwork, 'HH:mm');
  return <strong>{t('list.conflict.who', { name: answer.user.name, time })}</strong>;
}
