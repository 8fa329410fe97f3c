import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Value } from 'write-excel-file/node';

/** What a cell may hold: plain values of the kinds the library writes; a Date stands for what calendar and clock say, as if it were UTC. */
export type Cell = (string | number | boolean | Date) & Value;

// Building a workbook of a hundred thousand rows takes half a minute of pure reckoning; it is done beside the server, not in it.
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const library = require(workerData);
const write = library.default ?? library;
const types = { string: String, number: Number, boolean: Boolean };
const unprintable = /[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f]/g;
const cell = (value) => value instanceof Date
  ? { value, type: Date, format: 'yyyy-mm-dd hh:mm:ss' }
  : { value: typeof value === 'string' ? value.replaceAll(unprintable, '') : value, type: types[typeof value] };
const data = [];
parentPort.on('message', (rows) => {
  if (rows) data.push(...rows.map((row) => row.map(cell)));
  else write([data[0].map((head) => ({ ...head, fontWeight: 'bold' })), ...data.slice(1)], { stickyRowsCount: 1 })
    .toBuffer()
    .then((bytes) => parentPort.postMessage(bytes));
});`;

/**
 * Writes rows to an Excel workbook: text stays text, so nothing in it is ever run as a formula.
 * @throws the signal's reason when it is aborted, at whatever is going on
 */
export async function* workbook(rows: AsyncIterable<Cell[][]>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const library = createRequire(import.meta.url).resolve('write-excel-file/node');
  const worker = new Worker(program, { eval: true, workerData: library });
  try {
    const made = new Promise<Uint8Array>((done, fail) => {
      worker.once('message', done).once('error', fail);
      signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true });
    });
    // A failure while rows still come in is met below; until then it must not count as unhandled.
    made.catch(() => undefined);
    for await (const part of rows) worker.postMessage(part);
    signal.throwIfAborted();
    worker.postMessage(null);
    yield await made;
  } finally {
    await worker.terminate();
  }
}
