import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { constants, type Locale } from '#models/constants.ts';
import type { LicencesByPeriod } from '#models/licence-reports.ts';
import { countedFeatures } from '#models/seats.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { contentTypes, writeCells } from '#server/crud/export.ts';
import type { Cell } from '#server/crud/workbook.ts';
import { storeFile } from '#server/files.ts';
import type { Jobs, Work } from '#server/jobs/jobs.ts';
import { groupOf, type Question, readByPeriod, readUsed } from '#server/licences/use/report.ts';
import { serve } from '#server/serve.ts';
import { loadAreaTexts, wordsOf } from '#server/texts.ts';

/** A line for each step, in the reader's language; what is not known, or has no limit, is an empty cell. */
async function* linesOf({ points }: LicencesByPeriod, locale: Locale): AsyncIterable<Cell[][]> {
  await loadAreaTexts('reports');
  const word = (key: string): string => wordsOf(locale, key) ?? key;
  const counts = ['used', 'available'].map((count) => word(`areas.reports.${count}`));
  yield [
    [
      ...['from', 'to', 'source'].map((key) => word(`areas.reports.${key}`)),
      ...countedFeatures.flatMap((feature) => counts.map((count) => `${word(`list.licences.counted.${feature}`)}: ${count}`)),
    ],
  ];
  yield points.map(({ from, to, source, seats }): Cell[] => [
    from,
    to,
    word(`areas.reports.sources.${source}`),
    ...seats.flatMap(({ used, available }): Cell[] => [used, available ?? '']),
  ]);
}

const fileOf =
  (services: Services, principal: Principal, { format, ...question }: Question & { format: 'csv' | 'xlsx' }): Work =>
  async (progress) => {
    const report = await readByPeriod(services, principal, question);
    progress.total(report.points.length);
    const signal = AbortSignal.any([progress.signal, AbortSignal.timeout(constants.reportTimeout)]);
    const bytes = writeCells(format, linesOf(report, principal.locale), signal);
    const id = await storeFile(services, { projectId: principal.projectId, kind: 'export', contentType: contentTypes[format], bytes });
    await progress.done(report.points.length);
    const name = `licenses-${question.from}-${question.to}.${format}`;
    const changes = { file: { before: null, after: name }, rows: { before: null, after: report.points.length } };
    await audit(services.db, principal, { area: 'licenses', action: 'export', entityName: name, changes }, services.now());
    return { id, name };
  };

/** How many seats are and were in use, to look at and as a file. */
export function serveLicenceReports(app: FastifyInstance, services: Services, jobs: Jobs): void {
  serve(app, services, calls.licencesUsed, ({ principal, body }) => readUsed(services, principal, body.group));
  serve(app, services, calls.licencesByPeriod, ({ principal, body }) => readByPeriod(services, principal, body));
  serve(app, services, calls.licenceReportFile, async ({ principal, body }) => {
    await groupOf(services, principal, body.group);
    return jobs.start(principal, 'export', fileOf(services, principal, body));
  });
}
