import type { FastifyInstance } from 'fastify';
import { matrixFileLimits, matrixPage, type MatrixCell } from '#models/access-matrix.ts';
import { calls } from '#models/api.ts';
import type { Locale } from '#models/constants.ts';
import { audit } from '#server/audit.ts';
import type { Principal, Services } from '#server/context.ts';
import { contentTypes, writeCells } from '#server/crud/export.ts';
import type { Cell } from '#server/crud/workbook.ts';
import { storeFile } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';
import type { Jobs, Progress, Work } from '#server/jobs/jobs.ts';
import { serve } from '#server/serve.ts';
import { loadAreaTexts, wordsOf } from '#server/texts.ts';
import { type Axis, cellsOf, doorsOf, type MatrixQuestion, peopleOf } from './matrix.ts';

const momentOf = ({ now }: Services, at: string | null): Date => (at === null ? now() : new Date(at));
const atOnce = 100;

/** As the table on the screen has it. */
const textOf = (locale: Locale, { state, reason }: MatrixCell): string => {
  const said = state === 'denied' && reason !== null ? `areas.device-events.options.reason.${reason}` : `list.matrix.states.${state}`;
  return wordsOf(locale, said) ?? reason ?? state;
};

async function* rowsOf(
  services: Services,
  principal: Principal,
  { people, doors, at }: { people: readonly Axis[]; doors: readonly Axis[]; at: Date },
  progress: Progress,
): AsyncIterable<Cell[][]> {
  const { locale } = principal;
  await loadAreaTexts('device-events');
  yield [[wordsOf(locale, 'list.matrix.person') ?? 'person', ...doors.map(({ name }) => name)]];
  for (let from = 0; from < people.length; from += atOnce) {
    const part = people.slice(from, from + atOnce);
    const cells = await cellsOf(services, principal, part, doors, at);
    yield part.map(({ name }, index) => [name, ...(cells[index] ?? []).map((cell) => textOf(locale, cell))]);
    await progress.done(part.length);
  }
}

/** A table that no file holds is refused before work begins. @throws HttpError `too_large` */
async function requireSize(services: Services, principal: Principal, question: MatrixQuestion): Promise<void> {
  const { total } = await peopleOf(services, principal, question, { limit: 1, offset: 0 });
  const doors = await doorsOf(services, principal, question);
  if (total > matrixFileLimits.people || doors.length > matrixFileLimits.doors) throw new HttpError('too_large');
}

/** Writes the whole table to a file. The heads are the doors, a line is a person. */
const fileOf =
  (services: Services, principal: Principal, question: MatrixQuestion & { at: string | null; format: 'csv' | 'xlsx' }): Work =>
  async (progress) => {
    const at = momentOf(services, question.at);
    const doors = await doorsOf(services, principal, question);
    const { rows: people } = await peopleOf(services, principal, question, { limit: matrixFileLimits.people, offset: 0 });
    progress.total(people.length);
    const bytes = writeCells(question.format, rowsOf(services, principal, { people, doors, at }, progress), progress.signal);
    const id = await storeFile(services, { projectId: principal.projectId, kind: 'export', contentType: contentTypes[question.format], bytes });
    const name = `access-matrix-${at.toISOString().slice(0, 10)}.${question.format}`;
    const changes = { file: { before: null, after: name }, rows: { before: null, after: people.length } };
    await audit(services.db, principal, { area: 'access-rules', action: 'export', entityName: name, changes }, services.now());
    return { id, name };
  };

/** Who may pass which doors, as a table and as a file. */
export function serveAccessMatrix(app: FastifyInstance, services: Services, jobs: Jobs): void {
  serve(app, services, calls.accessMatrix, async ({ principal, body }) => {
    const at = momentOf(services, body.at);
    const people = await peopleOf(services, principal, body, { limit: matrixPage.people, offset: (body.people_page - 1) * matrixPage.people });
    const all = await doorsOf(services, principal, body);
    const doors = all.slice((body.doors_page - 1) * matrixPage.doors, body.doors_page * matrixPage.doors);
    return {
      at: at.toISOString(),
      people: people.rows,
      people_total: people.total,
      doors,
      doors_total: all.length,
      cells: await cellsOf(services, principal, people.rows, doors, at),
    };
  });
  serve(app, services, calls.accessMatrixFile, async ({ principal, body }) => {
    await requireSize(services, principal, body);
    return jobs.start(principal, 'export', fileOf(services, principal, body));
  });
}
