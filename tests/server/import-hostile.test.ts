import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { identifiers } from '#server/db/schema/index.ts';
import { buildEstate, codeOf, makePerson, type Person } from './estate.ts';
import { form, hostileFiles, pngOf } from './hostile-files.ts';
import { attempt, check, planFor, proceed, refusedBy } from './import-support.ts';
import { openTestServer, type TestServer } from './support.ts';
import { zip, type ZipPart } from './zip-by-hand.ts';
import { inTime } from '#tests/support/in-time.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await openTestServer();
  const estate = await buildEstate(server.services);
  admin = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.town] });
});
afterAll(() => server.close());

const book = (sheet: string | Buffer, more: readonly ZipPart[] = []): Buffer =>
  zip([
    { name: 'xl/workbook.xml', bytes: Buffer.from('<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>') },
    { name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from(sheet) },
    ...more,
  ]);
const sheetOf = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const heads = `<row r="1">${inline('Type')}${inline('Value')}${inline('Name')}${inline('Description')}</row>`;

describe('a file that is no list of identifiers', () => {
  it('is refused with the reason, whatever it is and whatever it is called', async () => {
    const png = pngOf(8, 8);
    for (const [name, bytes] of hostileFiles(png, png)) {
      const answer = await attempt(admin, bytes, `${name}.xlsx`);
      const { data } = answer.json() as { data?: { mapping?: object } };
      // A page of text is a table of one column; nothing in it is an identifier.
      const said = answer.statusCode === 200 ? JSON.stringify(data?.mapping) : refusedBy(answer);
      expect(said, `${name}: ${answer.body}`).toMatch(/^(?:\{\}|import_\w+)$/);
    }
    expect(logged(5)).toEqual([]);
  });

  it.each<[string, () => Buffer, string]>([
    ['nothing', () => Buffer.alloc(0), 'import_empty'],
    ['headings alone', () => Buffer.from('Type,Value\n'), 'import_empty'],
    ['text of an older encoding', () => Buffer.from([0xd2, 0xe8, 0xef, 0x2c, 0xc7, 0x0a, 0x31, 0x2c, 0x32]), 'import_encoding'],
    ['UTF-16', () => Buffer.from('\ufeffType,Value\ncard,1\n', 'utf16le'), 'import_encoding'],
    ['NUL between', () => Buffer.from('Type,Value\ncard,\u00001\n'), 'import_format'],
    ['an archive of something else', () => zip([{ name: 'a.txt', bytes: Buffer.from('hello') }]), 'import_damaged'],
    ['half a workbook', () => book(sheetOf(heads)).subarray(0, 90), 'import_damaged'],
    [
      'a workbook whose parts are damaged',
      () => book('x', [{ name: 'xl/sharedStrings.xml', bytes: Buffer.alloc(0), packed: Buffer.alloc(20, 7) }]),
      'import_damaged',
    ],
    ['a bomb', () => book(Buffer.alloc(120 * 1024 * 1024, 0x20)), 'import_too_large'],
    [
      'a bomb of strings',
      () => book(sheetOf(heads), [{ name: 'xl/sharedStrings.xml', bytes: Buffer.alloc(120 * 1024 * 1024, 0x41) }]),
      'import_too_large',
    ],
    [
      'an archive of very many parts',
      () => zip(Array.from({ length: 2_000 }, (_, at) => ({ name: `${at}`, bytes: Buffer.of(at) }))),
      'import_too_large',
    ],
    ['a million rows', () => Buffer.from(`Type,Value\n${'card,1\n'.repeat(1_000_000)}`), 'import_too_many_rows'],
    ['a million rows in a workbook', () => book(sheetOf(heads + `<row>${inline('a')}</row>`.repeat(1_000_000))), 'import_too_many_rows'],
    ['a million columns', () => Buffer.from(`${'a,'.repeat(1_000_000)}\ncard\n`), 'import_format'],
    ['a hundred columns', () => Buffer.from(`${'a,'.repeat(100)}\ncard\n`), 'import_too_many_columns'],
    ['a cell far to the right', () => book(sheetOf(`${heads}<row r="2"><c r="XFD2"><v>1</v></c></row>`)), 'import_too_many_columns'],
    ['a quote that never ends', () => Buffer.from(`Type,Value\n"${'x,\n'.repeat(200_000)}`), 'import_quotes'],
  ])('%s', async (_what, make, rule) => {
    const file = make();
    const begun = performance.now();
    const answer = await attempt(admin, file, 'cards.xlsx');
    expect([answer.statusCode, refusedBy(answer)]).toEqual([422, rule]);
    expect(performance.now() - begun).toBeLessThan(inTime(20_000));
  });

  it('too large is cut off', async () => {
    const { body, headers } = form({}, Buffer.alloc(10 * 1024 * 1024 + 1, 0x20), 'a.csv', 'text/csv', 'file');
    expect(codeOf(await admin.client.post('/identifiers/import', body, headers))).toBe('too_large');
  });

  it('made to take long takes no longer than its length', async () => {
    const begun = performance.now();
    for (const part of ['<row', '<c ', '<t ', '<rPh', '<si><rPh'])
      await attempt(
        admin,
        book(`<worksheet>${heads}${part.repeat(2_000_000)}`, [{ name: 'xl/sharedStrings.xml', bytes: Buffer.from(part.repeat(1_000_000)) }]),
      );
    expect(performance.now() - begun).toBeLessThan(inTime(20_000));
  });
});

const logged = (level: number): string[] =>
  server
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"level":${level}0`));

describe('what stands in the cells of a workbook', () => {
  it('is text: formulas are not worked out, entities of its own are none, scripts run nowhere', async () => {
    const rows = [
      [inline('card'), '<c><f>HYPERLINK("http://evil")</f><v>11193310</v></c>', inline('One'), inline('&lt;script&gt;alert(1)&lt;/script&gt;')],
      [inline('card'), inline('0xAB'), inline('Two'), inline('&bomb;')],
      [inline('card'), '<c><v>1.2345678901234567E+19</v></c>', inline('Three'), ''],
      [inline('card'), '<c t="e"><v>#REF!</v></c>', inline('Four'), ''],
    ];
    const sheet = `<!DOCTYPE x [<!ENTITY bomb "boom">]>${sheetOf(heads + rows.map((cells, at) => `<row r="${at + 2}">${cells.join('')}</row>`).join(''))}`;
    const plan = await planFor(admin, book(sheet));
    const { result } = await check(admin, plan);
    expect(result.issues.map(({ row, rule }) => [row, rule])).toEqual([
      [4, 'import_rounded'],
      [5, 'number_or_hex'],
    ]);
    await proceed(admin, plan);
    const made = await server.services.db.select().from(identifiers).orderBy(identifiers.name);
    expect(made.map(({ value, description }) => [value, description])).toEqual([
      ['00AACBDE', '<script>alert(1)</script>'],
      ['000000AB', '&bomb;'],
    ]);
  });
});
