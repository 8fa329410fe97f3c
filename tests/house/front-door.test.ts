import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpText } from '#server/config.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
);
const readme = read('README.md');

/** What npm, builds, tests and editors leave at the top; git ignores it. */
const leftovers = /^(?:\.git|\.idea|\.vscode|\.DS_Store|node_modules|dist|data|\.tsc|\.cache|test-results|.*\.log)$/;

describe('the front door', () => {
  it('has at most 20 entries', () => {
    expect(readdirSync(root).filter((name) => !leftovers.test(name)).length).toBeLessThanOrEqual(20);
  });
  it('is read in five minutes, and leads to every page of docs', () => {
    expect(readme.split(/\s+/).length).toBeLessThan(1_300);
    expect(pages.filter((page) => page !== 'README.md' && !readme.includes(`(${page})`))).toEqual([]);
  });
  it.each(pages)('%s links and names only what is there', (page) => {
    const text = read(page);
    const folder = join(root, page, '..');
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, to = '']) => join(folder, to));
    const named = [...text.matchAll(/`((?:models|machines|src|server|tests|scripts|deploy|locales|docs)\/[\w./-]+)`/g)].map(([, to = '']) =>
      join(root, to),
    );
    expect([...links, ...named].filter((path) => !existsSync(path))).toEqual([]);
  });
  it.each(pages)('%s names only commands that exist', (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
  it('names every package that is installed to run, and why', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const rows = readme.slice(readme.indexOf('## Dependencies')).matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm);
    const named = [...rows].flatMap(([, names = '']) => names.split(', ').map((name) => name.replace(/ [\d.]+$/, '')));
    expect(named.filter((name) => name !== 'package' && name !== '---').toSorted()).toEqual(Object.keys(dependencies).toSorted());
  });
});

it('docs/settings.md lists the settings as --help does', () => {
  const listed = [...helpText().matchAll(/^ {2}([A-Z_]+) +(.+)$/gm)].map(([, name, says]) => `| \`${name}\` | ${says?.replaceAll('|', '/')} |`);
  const block = /<!-- settings -->\n([\s\S]*)\n<!-- \/settings -->/.exec(read('docs/settings.md'))?.[1] ?? '';
  expect(block.split('\n').filter((line) => line.startsWith('| `'))).toEqual(listed);
});
