import type { Browser } from 'playwright-core';
import { bytesOf } from '#scripts/bytes.mjs';
import { launchBrowser } from '#tests/e2e/support/browser.ts';
import { openSite, type Site } from './controls/site.ts';
import { sizeOf } from './controls/sizes.ts';
import { type Figure, median } from './figures.ts';

const rounds = 7;

/** One of our controls beside one of PrimeReact's: the scenes that draw them. */
interface Pair {
  what: string;
  ours: string;
  theirs: string;
  /** What theirs is. */
  control: string;
}
const pairs: readonly Pair[] = [
  { what: '2,000 open groups', ours: 'groups', theirs: 'groups', control: 'Tree' },
  { what: 'all permissions, every branch opened', ours: 'permissions', theirs: 'permissions', control: 'TreeTable' },
  { what: '100 rows of 8 columns, their widths to drag', ours: 'people', theirs: 'people', control: 'DataTable' },
  { what: 'the same, the first column of theirs frozen', ours: 'people', theirs: 'frozen', control: 'DataTable' },
  { what: 'access matrix, 25 people and 20 doors', ours: 'matrix', theirs: 'matrix', control: 'DataTable' },
  { what: '50 rows found', ours: 'found', theirs: 'found', control: 'AutoComplete' },
  { what: 'a choice among 50 rows opened', ours: 'opened', theirs: 'opened', control: 'MultiSelect' },
];

/** Draws a scene in a window that has drawn nothing yet. @returns ms until it was painted */
async function drawn(browser: Browser, url: string, scene: string): Promise<number> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => globalThis.draw !== undefined);
  const took = await page.evaluate((name) => globalThis.draw?.(name), scene);
  await context.close();
  return took ?? Number.NaN;
}

/** How long both of a pair take, in turns: both have the same machine at the same time. */
async function timed(browser: Browser, site: Site, { what, ours, theirs, control }: Pair): Promise<Figure> {
  const [own, other]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await drawn(browser, site.url('ours'), ours));
    other.push(await drawn(browser, site.url('theirs'), theirs));
  }
  return { what, unit: 'ms', ours: median(own), baseline: { what: `PrimeReact's ${control}`, value: median(other) } };
}

/** What we have, of which modules, and the control of PrimeReact that could stand in its place. */
const replaced: readonly { ours: string; modules: readonly string[]; control: string }[] = [
  { ours: 'the tree of groups', modules: ['#src/components/group-tree.tsx'], control: 'Tree' },
  { ours: 'the tree of permissions', modules: ['#src/components/permission-tree.tsx'], control: 'TreeTable' },
  { ours: 'the table, widths to drag', modules: ['#src/components/table/table.tsx', '#src/views/area/column-handles.tsx'], control: 'DataTable' },
  { ours: 'the access matrix', modules: ['#src/views/access/matrix-table.tsx'], control: 'DataTable' },
  { ours: 'the search for rows', modules: ['#src/components/filters/ref-search.tsx'], control: 'AutoComplete' },
  { ours: 'the search for rows', modules: ['#src/components/filters/ref-search.tsx'], control: 'MultiSelect' },
  { ours: 'the field of a colour', modules: ['#src/components/fields/color-field.tsx'], control: 'ColorPicker' },
  { ours: "the browser's own range", modules: [], control: 'Slider' },
  { ours: 'the choice of a file', modules: ['#src/components/file-dialog.tsx'], control: 'FileUpload' },
];
const moduleOf = (control: string): string => `primereact/${control.toLowerCase()}`;

/** The JavaScript of our controls beside PrimeReact's, and how much each of theirs would add to what the Calendar brings already. */
async function sizes(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { ours, modules, control } of replaced) {
    const baseline = { what: `PrimeReact's ${control}`, value: await sizeOf(moduleOf(control)) };
    figures.push({ what: `JavaScript: ${ours}`, unit: 'kB', ours: await sizeOf(...modules), baseline });
  }
  const calendar = await sizeOf(moduleOf('Calendar'));
  for (const control of new Set(replaced.map((each) => each.control))) {
    const both = await sizeOf(moduleOf('Calendar'), moduleOf(control));
    figures.push({ what: `what PrimeReact's ${control} adds to its Calendar`, unit: 'kB', ours: both - calendar });
  }
  return figures;
}

/** Our controls beside those of PrimeReact that could stand in their place: drawing, JavaScript, and what the built console fetches of PrimeReact. */
export async function benchControls(): Promise<Figure[]> {
  const site = await openSite();
  const browser = await launchBrowser();
  try {
    const figures: Figure[] = [];
    for (const pair of pairs) figures.push(await timed(browser, site, pair));
    const built = bytesOf('dist/web').later.map(([name, bytes]): Figure => ({
      what: `built console: JavaScript with ${String(name)}`,
      unit: 'kB',
      ours: Number(bytes) / 1_000,
    }));
    return [...figures, ...(await sizes()), ...built];
  } finally {
    await browser.close();
    await site.close();
  }
}
