import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ImportAttempt } from '#models/import.ts';
import type { Job } from '#models/job.ts';
import { uuid } from '#tests/support/people.ts';
import { openPage, rowsAnswer } from './support/area-page.ts';

const attempt: ImportAttempt = {
  filepath: uuid(70),
  file_name: 'cards.csv',
  rows: 10_000,
  columns: [
    { heading: 'Type', samples: ['card'] },
    { heading: 'Value', samples: ['4000000001'] },
  ],
  mapping: { type: 0, value: 1 },
};
const checking: Job = {
  id: uuid(71),
  kind: 'import_check',
  state: 'running',
  done: 2_000,
  total: 10_000,
  file_name: null,
  failures: [],
  problem: null,
  created_at: '2026-01-01T00:00:00.000Z',
};
const issue = { row: 4, column: 'Value', field: 'value', rule: 'number_or_hex', params: {} };
const checked: Job = {
  ...checking,
  state: 'completed',
  done: 10_000,
  file_name: 'cards - errors.csv',
  import: { action: null, counts: { new: 9_999, same: 0, changed: 0, bad: 1 }, last_row: 10_001, issues: [issue] },
};

const file = new File(['Type,Value\ncard,1'], 'cards.csv', { type: 'text/csv' });

/** The dialog before a file is chosen; `turn` says how its check stands from then on. */
async function openImport() {
  let stands: Job = checking;
  const page = await openPage('/identifiers', {
    'GET /identifiers': () => rowsAnswer([]),
    'POST /identifiers/import': () => ({ body: { data: attempt } }),
    'POST /identifiers/import/check': () => ({ status: 202, body: { data: checking } }),
    'POST /identifiers/import/continue': () => ({ status: 202, body: { data: { ...checking, id: uuid(72), kind: 'import' } } }),
    [`GET /jobs/${checking.id}`]: () => ({ body: { data: stands } }),
    [`GET /jobs/${uuid(72)}`]: () => ({ body: { data: { ...checking, id: uuid(72), kind: 'import' } } }),
    [`DELETE /jobs/${checking.id}`]: () => {
      stands = { ...checking, state: 'cancelled' };
      return { body: { data: null } };
    },
  });
  await page.user.click(await screen.findByRole('button', { name: 'Import' }));
  await screen.findByText('You can also drop the file here.');
  return { ...page, turn: (job: Job) => (stands = job) };
}

/** The dialog with a file whose check has begun. */
async function openCheck() {
  const page = await openImport();
  await page.user.upload(await screen.findByLabelText('File'), file);
  await page.user.click(await screen.findByRole('button', { name: 'Check the file' }));
  return page;
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Import from a file' }));

describe('a file to import', () => {
  it('may be dropped as well, and is read once', async () => {
    const { server } = await openImport();
    const place = screen.getByText('You can also drop the file here.');
    const dropped = { dataTransfer: { files: [file] } };
    fireEvent.dragOver(place, dropped);
    fireEvent.drop(place, dropped);
    // The first is on its way: what is dropped meanwhile is not taken.
    fireEvent.drop(place, dropped);
    await screen.findByText('cards.csv');
    expect(server.asked('POST', '/identifiers/import')).toHaveLength(1);
    expect((await dialog().findByText('Columns')).parentElement?.getAttribute('aria-current')).toBe('step');
  });

  it('that misses its place is not opened by the browser; a text is dropped wherever its field takes it', async () => {
    const { server } = await openImport();
    expect(document.activeElement?.textContent).toBe('Choose a file');
    const missed = { dataTransfer: { files: [file], types: ['Files'] } };
    expect(fireEvent.dragOver(document.body, missed)).toBe(false);
    expect(fireEvent.drop(document.body, missed)).toBe(false);
    expect(fireEvent.drop(document.body, { dataTransfer: { files: [], types: ['text/plain'] } })).toBe(true);
    expect(server.asked('POST', '/identifiers/import')).toHaveLength(0);
  });
});

describe('the check of a file', () => {
  it('says how far it has come, then what it found, in its dialog alone; the import follows', async () => {
    const { user, server, turn } = await openCheck();
    await waitFor(() => expect(dialog().getByRole<HTMLProgressElement>('progressbar').value).toBe(2_000));
    expect(screen.queryByRole('region', { name: 'Checking the file' })).toBeNull();
    turn(checked);
    await dialog().findByText('Enter a number or a HEX code');
    expect(dialog().getByRole('button', { name: 'Download rows with errors' })).toBeTruthy();
    await user.click(dialog().getByRole('button', { name: /^Import 9.?999 rows$/ }));
    await waitFor(() => expect(server.asked('POST', '/identifiers/import/continue')).toHaveLength(1));
    await screen.findByRole('region', { name: 'Import' });
  });

  it('is stopped by whoever waits for it, who is at the columns again', async () => {
    const { user, server } = await openCheck();
    await dialog().findByRole('progressbar');
    await user.click(dialog().getByRole('button', { name: 'Cancel' }));
    await dialog().findByRole('button', { name: 'Check the file' });
    await waitFor(() => expect(server.asked('DELETE', `/jobs/${checking.id}`)).toHaveLength(1));
    expect(screen.queryByRole('progressbar')).toBeNull();
  });
});
