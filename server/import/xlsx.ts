import { setImmediate as turn } from 'node:timers/promises';
import { importLimits } from '#models/import.ts';
import { Archive, BrokenArchive } from './zip.ts';
import { type FileRow, refuseFile } from './file-row.ts';

/** Fifty thousand rows of sixty columns fit well; a bomb does not. */
const mostBytes = 96 * 1024 * 1024;
const rowsAtOnce = 2_000;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Only what XML itself knows: what a document declares by itself stays as it stands, so nothing in it ever grows. */
const decode = (text: string): string =>
  text
    .replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name) return named[name.toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
    })
    .replaceAll(/_x([\da-f]{4})_/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The elements of that name one after the other, with their attributes and content; found by searching, so that time grows with the length alone. */
function* elements(xml: string, name: string): Generator<{ attributes: string; content: string }> {
  const [open, close] = [`<${name}`, `</${name}>`];
  for (let at = xml.indexOf(open); at >= 0; at = xml.indexOf(open, at)) {
    const after = xml[at + open.length] ?? '';
    const end = xml.indexOf('>', at);
    if (end < 0) return;
    at += open.length;
    if (!/[\s/>]/.test(after)) continue;
    const isEmpty = xml[end - 1] === '/';
    const until = isEmpty ? end : xml.indexOf(close, end);
    if (until < 0) return;
    yield { attributes: xml.slice(at, isEmpty ? end - 1 : end), content: isEmpty ? '' : xml.slice(end + 1, until) };
    at = until;
  }
}
/** A text without its parts of that name. */
function without(xml: string, name: string): string {
  let outside = '';
  let from = 0;
  for (let at = xml.indexOf(`<${name}`); at >= 0; at = xml.indexOf(`<${name}`, from)) {
    const end = xml.indexOf(`</${name}>`, at);
    if (end < 0) break;
    outside += xml.slice(from, at);
    from = end + name.length + 3;
  }
  return outside + xml.slice(from);
}
/** The text runs of a string, without what says how East Asian words are read. */
const textOf = (xml: string): string => Array.from(elements(without(xml, 'rPh'), 't'), ({ content }) => decode(content)).join('');
const firstOf = (xml: string, name: string): string => elements(xml, name).next().value?.content ?? '';
const attribute = (attributes: string, name: string): string | undefined => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];

/** The number of a column, from 0, by its letters. */
const columnOf = (place: string): number =>
  Array.from(/^[A-Z]{1,3}/.exec(place)?.[0] ?? '').reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 0) - 64, 0) - 1;

/** Whole numbers in digits; what a spreadsheet has rounded stays as it stands, to be told. */
function numberText(raw: string): string {
  const number = Number(raw);
  if (!Number.isFinite(number)) return raw;
  return Number.isInteger(number) && Math.abs(number) < 1e15 ? String(number) : raw;
}

/** What a cell shows. A formula is never worked out: what it had come to when the file was saved counts. */
function cellText(attributes: string, content: string, shared: readonly string[]): string {
  const kind = attribute(attributes, 't') ?? 'n';
  if (kind === 'inlineStr') return textOf(content);
  const raw = firstOf(content, 'v');
  if (kind === 's') return shared[Number(raw)] ?? '';
  if (kind === 'n') return numberText(decode(raw));
  return decode(raw);
}

function cellsOf(xml: string, shared: readonly string[]): string[] {
  const cells: string[] = [];
  let next = 0;
  for (const { attributes, content } of elements(xml, 'c')) {
    const place = attribute(attributes, 'r');
    const at = place === undefined ? next : columnOf(place);
    next = at + 1;
    if (at < 0) continue;
    const text = cellText(attributes, content, shared);
    if (text === '') continue;
    if (at >= importLimits.columns) throw refuseFile('import_too_many_columns', { max: importLimits.columns });
    cells[at] = text;
  }
  return Array.from(cells, (cell) => cell ?? '');
}

async function readShared(archive: Archive): Promise<string[]> {
  const name = 'xl/sharedStrings.xml';
  if (!archive.has(name)) return [];
  const strings: string[] = [];
  for (const { content } of elements(await archive.text(name), 'si')) {
    strings.push(textOf(content));
    if (strings.length % rowsAtOnce === 0) await turn();
  }
  return strings;
}

/** The part that holds the first sheet. */
async function firstSheet(archive: Archive): Promise<string> {
  const book = await archive.text('xl/workbook.xml');
  const sheet = elements(book, 'sheet').next().value;
  const id = sheet && attribute(sheet.attributes, 'r:id');
  const links = archive.has('xl/_rels/workbook.xml.rels') ? await archive.text('xl/_rels/workbook.xml.rels') : '';
  for (const { attributes } of elements(links, 'Relationship'))
    if (id !== undefined && attribute(attributes, 'Id') === id) {
      const target = attribute(attributes, 'Target') ?? '';
      return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    }
  return 'xl/worksheets/sheet1.xml';
}

/** The filled rows of the first sheet of an Excel workbook. @throws HttpError `invalid_file`; BrokenArchive, TooLarge */
export async function readWorkbook(bytes: Buffer): Promise<FileRow[]> {
  const archive = new Archive(bytes, mostBytes);
  if (!archive.has('xl/workbook.xml')) throw new BrokenArchive();
  const shared = await readShared(archive);
  const rows: FileRow[] = [];
  let next = 1;
  for (const { attributes, content } of elements(await archive.text(await firstSheet(archive)), 'row')) {
    const row = Number(attribute(attributes, 'r') ?? next);
    next = row + 1;
    const cells = cellsOf(content, shared);
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ row, cells });
    if (rows.length > importLimits.rows + 1) throw refuseFile('import_too_many_rows', { max: importLimits.rows });
    if (next % rowsAtOnce === 0) await turn();
  }
  return rows;
}
