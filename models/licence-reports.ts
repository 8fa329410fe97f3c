import { z } from 'zod';
import { type Access, call } from './define-call.ts';
import { named } from './define-model.ts';
import { job } from './job.ts';
import { longCalls } from './long-calls.ts';
import { countedFeatures, type SeatCount } from './seats.ts';
import { lengthOf } from './time.ts';

/** What one line of the report stands for. */
export const reportSteps = ['day', 'week', 'month'] as const;
export type ReportStep = (typeof reportSteps)[number];
/** The most days one report covers. */
export const reportDays = 1_100;

const seatCount = z.strictObject({ feature: z.enum(countedFeatures), used: z.int(), available: z.int().nullable() }) satisfies z.ZodType<SeatCount>;
/** Seats of the people, devices and numbers of this group and those below it; null: of the whole project. */
const group = z.uuid().nullable();
const asked = { group, from: z.iso.date(), to: z.iso.date(), step: z.enum(reportSteps) };
const days = ({ from, to }: { from: string; to: string }): number => (Date.parse(to) - Date.parse(from)) / lengthOf(1, 'day') + 1;
const wrong = { message: 'period_order', path: ['to'] };
const inOrder = (period: { from: string; to: string }): boolean => days(period) >= 1 && days(period) <= reportDays;

/** `counted`: written down on that day. `reckoned`: worked out later from what is there and from the audit trail. */
export const useSources = ['counted', 'reckoned'] as const;

export const licencesUsed = z.strictObject({
  as_of: z.iso.datetime(),
  group: named.nullable(),
  seats: z.array(seatCount),
  /** The groups right below that use any, in order of name. */
  parts: z.array(z.strictObject({ group: named, used: z.record(z.enum(countedFeatures), z.int()) })),
});
export type LicencesUsed = z.infer<typeof licencesUsed>;

export const licencesByPeriod = z.strictObject({
  group: named.nullable(),
  /** The first day in the report that was counted as it came. */
  counted_since: z.iso.date().nullable(),
  points: z.array(
    z.strictObject({
      from: z.iso.date(),
      to: z.iso.date(),
      source: z.enum(useSources),
      /** The most of each that was in use on a day of it; how many there were to use is known of counted days only. */
      seats: z.array(seatCount),
    }),
  ),
});
export type LicencesByPeriod = z.infer<typeof licencesByPeriod>;
export type ReportPoint = LicencesByPeriod['points'][number];

const access = { codes: ['can_view_licenses_used_report'], about: 'licenses' } as const satisfies Access;
const report = { method: 'POST', access } as const;

/** How many seats of the licences are and were in use (SETT-20). Without a group it is the project, for those who see all groups; others get their own. */
export const licenceReportCalls = {
  licencesUsed: call({
    ...report,
    timeout: longCalls.licencesUsed,
    reads: true,
    path: '/reports/licenses/used',
    summary: 'Seats in use now, of the project or of a group and those below it, with the groups right below',
    body: z.strictObject({ group }),
    answer: licencesUsed,
  }),
  licencesByPeriod: call({
    ...report,
    timeout: longCalls.licencesByPeriod,
    reads: true,
    path: '/reports/licenses/period',
    summary: `The most seats in use in each day, week or month of a period of at most ${reportDays} days; each point says whether it was counted or reckoned`,
    body: z.strictObject(asked).refine(inOrder, wrong),
    answer: licencesByPeriod,
  }),
  licenceReportFile: call({
    ...report,
    timeout: longCalls.licenceReportFile,
    path: '/reports/licenses/export',
    summary: 'The report by period as a file, written by a job',
    body: z.strictObject({ ...asked, format: z.enum(['csv', 'xlsx']) }).refine(inOrder, wrong),
    answer: job,
    success: [202],
  }),
} as const;
