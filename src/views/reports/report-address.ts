import { type ReportStep, reportSteps } from '#models/licence-reports.ts';
import { utc } from '#models/time.ts';
import { clockAt, type Zone } from '#models/zone.ts';

/** What is asked of the report, as its address has it: a link shows the same to somebody else. */
export interface ReportAddress {
  group: string | null;
  from: string;
  to: string;
  step: ReportStep;
}
const written = 'YYYY-MM-DD';
const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && utc(text).format(written) === text;
const isStep = (text: string | null): text is ReportStep => (reportSteps as readonly (string | null)[]).includes(text);
const shownAtFirst = 84;

/** What the address says; the last twelve weeks where it says nothing. */
export function readAddress(params: URLSearchParams, zone: Zone, now: number): ReportAddress {
  const today = clockAt(zone, now);
  const [from, to, step] = [params.get('from'), params.get('to'), params.get('step')];
  return {
    group: params.get('group'),
    from: isDay(from) ? from : today.subtract(shownAtFirst - 1, 'day').format(written),
    to: isDay(to) ? to : today.format(written),
    step: isStep(step) ? step : 'day',
  };
}

export const writeAddress = ({ group, from, to, step }: ReportAddress): URLSearchParams =>
  new URLSearchParams({ ...(group !== null && { group }), from, to, step });

/** A day as fields of dates hold it, and back. */
export const asLocal = (day: string): number => utc(day).valueOf();
export const asDay = (local: number): string => utc(local).format(written);
