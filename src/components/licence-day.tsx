import { useContext } from 'react';
import { constants } from '#models/constants.ts';
import { useText } from './text.ts';
import { clockAt } from '#models/zone.ts';
import { type Clockwork, ClockworkContext } from './when.tsx';

const { from: always, to: endless } = constants.unlimitedLicencePeriod;

/** The day a moment (seconds since 1970) falls on, in the person's zone and format. */
export const dayText = (seconds: number, clockwork: Omit<Clockwork, 'now'>): string =>
  clockAt(clockwork, seconds * 1_000).format(clockwork.timeFormat);

/** A bound of a licence period: its day, or that there is none. */
export function useBoundText(): (seconds: number) => string {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  return (seconds) => {
    if (seconds === always) return t('list.licences.no_beginning');
    return seconds === endless ? t('list.licences.no_end') : dayText(seconds, clockwork);
  };
}

/** One bound of a licence period. A period ends with the midnight after its last day, of which `isEnd` tells. */
export function LicenceDay({ at, isEnd = false }: { at: number; isEnd?: boolean }) {
  return useBoundText()(isEnd && at !== endless ? at - 1 : at);
}

/** A licence period in words: from when to when, until when, or without end. */
export function usePeriodText(): (period: { from: number; to: number }) => string {
  const { t } = useText();
  const clockwork = useContext(ClockworkContext);
  return ({ from, to }) => {
    const days = { from: dayText(from, clockwork), to: dayText(to - 1, clockwork) };
    if (to === endless) return from === always ? t('list.licences.unlimited_period') : t('list.licences.period_from', days);
    return from === always ? t('list.licences.period_to', days) : t('list.licences.period', days);
  };
}
