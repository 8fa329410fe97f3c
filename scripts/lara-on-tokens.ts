import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** One rule, or one at-rule with what stands inside it, of the theme's style sheet. */
interface Block {
  head: string;
  body: string | Block[];
}

/** Splits a style sheet into blocks; the theme has neither comments nor braces in strings. */
export function parse(css: string): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; ;) {
    const open = css.indexOf('{', at);
    if (open < 0) return blocks;
    let depth = 1;
    let close = open + 1;
    for (; depth > 0; close++) depth += css[close] === '{' ? 1 : css[close] === '}' ? -1 : 0;
    const body = css.slice(open + 1, close - 1);
    blocks.push({ head: css.slice(at, open).trim(), body: body.includes('{') ? parse(body) : body });
    at = close;
  }
}

/** Words of class names that belong to no one component. */
const shared =
  'component disabled icon invalid error focus highlight link fluid text input inputwrapper inputgroup inline row variant selectable readonly'.split(
    ' ',
  );
/** Class words of a component where they differ from its module's name. */
const parts: Record<string, string[]> = {
  menu: ['menu', 'menuitem', 'submenu'],
  calendar: ['calendar', 'datepicker', 'timepicker', 'monthpicker', 'yearpicker'],
  tree: ['tree', 'treenode'],
};

const owners = (selector: string): string[] => [...selector.matchAll(/\.p-([a-z\d]+)/g)].map((match) => match[1] ?? '');

/** Which rules a sheet has: those whose every component is in `used`, and some not in `there` already. */
interface Choice {
  used: ReadonlySet<string>;
  there: ReadonlySet<string>;
}

/** Keeps those of a rule's selectors that are chosen. */
const chosenOf = (head: string, { used, there }: Choice): string =>
  head
    .split(/,(?![^(]*\))/)
    .filter((selector) => {
      const named = owners(selector);
      return named.every((owner) => used.has(owner)) && (there.size === 0 || named.some((owner) => !there.has(owner)));
    })
    .map((selector) => selector.trim())
    .join(',');

const plain: Record<string, string> = {
  '#4b5563': 'text',
  '#374151': 'text',
  '#1f2937': 'text',
  '#6b7280': 'quiet',
  '#64748b': 'quiet',
  '#475569': 'quiet',
  '#334155': 'text',
  '#9ca3af': 'faint',
  '#e5e7eb': 'line',
  '#d1d5db': 'field-line',
  '#f3f4f6': 'hover',
  '#f8f8fa': 'hover',
  '#e2e8f0': 'line',
  '#f9fafb': 'surface',
  '#3b82f6': 'accent',
  '#1d4ed8': 'accent',
  '#2563eb': 'accent-strong',
  '#eff6ff': 'accent-ground',
  '#bfdbfe': 'accent',
  '#8cbeff': 'accent',
  '#70aeff': 'accent',
  '#0ea5e9': 'info',
  '#0284c7': 'accent-strong',
  '#0369a1': 'accent-strong',
  '#a855f7': 'accent',
  '#9333ea': 'accent-strong',
  '#7e22ce': 'accent-strong',
  '#22c55e': 'good',
  '#16a34a': 'good',
  '#15803d': 'good',
  '#1ea97c': 'good',
  '#29c76f': 'good',
  '#f97316': 'warn',
  '#ea580c': 'warn',
  '#c2410c': 'warn',
  '#cc8925': 'warn',
  '#ff9f42': 'warn',
  '#ef4444': 'bad',
  '#dc2626': 'bad-strong',
  '#b91c1c': 'bad-strong',
  '#e24c4c': 'bad',
  '#ff5757': 'bad',
  '#ea5455': 'bad',
  '#e73d3e': 'bad',
  '#fecaca': 'bad',
  '#fde68a': 'warn',
  '#fcb98b': 'warn',
  '#f7a2a2': 'bad',
  '#e9d5ff': 'accent',
  '#d4aafb': 'accent',
  '#bbf7d0': 'good',
  '#88eaac': 'good',
  '#83d3f8': 'info',
  '#9dc1fb': 'accent',
  '#b7bcc5': 'quiet',
  '#b0b9c6': 'quiet',
  '#191919': 'line',
  '#323232': 'text',
  '#f8f9fa': 'surface',
  '#f2f2f2': 'line',
  '#022354': 'accent',
};
const grounds: Record<string, string> = {
  '219,234,254': 'info-ground',
  '228,248,240': 'good-ground',
  '255,242,226': 'warn-ground',
  '255,231,230': 'bad-ground',
};
const triples: Record<string, string> = {
  '59,130,246': 'accent',
  '34,197,94': 'good',
  '249,115,22': 'warn',
  '239,68,68': 'bad',
  '168,85,247': 'accent',
  '14,165,233': 'info',
  '100,116,139': 'quiet',
  '31,41,55': 'text',
};

function tokenOf(property: string, color: string): string {
  const hex = color.toLowerCase();
  if (hex === '#ffffff' || hex === '#fff') return property === 'color' ? 'var(--on-accent)' : 'var(--surface)';
  const token = plain[hex];
  if (!token) throw new Error(`the theme's colour ${color} (${property}) has no token`);
  return `var(--${token})`;
}

function translucent(channels: string, alpha: number): string {
  const ground = grounds[channels];
  if (ground) return `var(--${ground})`;
  if (channels === '0,0,0') return 'var(--veil)';
  if (channels === '255,255,255') return `color-mix(in srgb, var(--surface) ${alpha * 100}%, transparent)`;
  const token = triples[channels];
  if (!token) throw new Error(`the theme's colour rgba(${channels}, ${alpha}) has no token`);
  return `color-mix(in srgb, var(--${token}) ${alpha * 100}%, transparent)`;
}

/** One declaration with its colours as tokens; shadows become the one shadow, rings the one ring. */
export function onTokens(declaration: string): string {
  const [property = '', ...rest] = declaration.split(':');
  const name = property.trim();
  const value = rest.join(':').trim();
  if (name === 'box-shadow' && /rgba?\(0, 0, 0/.test(value) && !value.includes('#')) return 'box-shadow:var(--shadow)';
  if (name === 'box-shadow' && /^(inset )?0 0 0 (0\.\d+rem|1px|2px #ffffff)/.test(value))
    return value.startsWith('inset')
      ? 'box-shadow:inset 0 0 0 2px var(--accent)'
      : /#(3b82f6|e24c4c)/.test(value)
        ? `box-shadow:none`
        : 'box-shadow:var(--focus)';
  const colored = value
    .replaceAll(/rgba?\(\s*(\d+),\s*(\d+),\s*(\d+)(?:,\s*([\d.]+))?\s*\)/g, (_whole, r: string, g: string, b: string, a?: string) =>
      translucent(`${r},${g},${b}`, Number(a ?? 1)),
    )
    .replaceAll(/#[\da-f]{3,8}\b/gi, (color) => tokenOf(name, color));
  return `${name}:${colored}`;
}

const declarations = (body: string): string =>
  body
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(onTokens)
    .join(';');

function write(blocks: Block[], choice: Choice): string {
  return blocks
    .map(({ head, body }) => {
      if (head.startsWith('@font-face') || head.startsWith(':root')) return '';
      if (head.startsWith('@keyframes'))
        return `${head}{${(body as Block[]).map((frame) => `${frame.head}{${typeof frame.body === 'string' ? declarations(frame.body) : ''}}`).join('')}}`;
      if (typeof body !== 'string') return `${head}{${write(body, choice)}}`;
      const selectors = chosenOf(head, choice);
      return selectors ? `${selectors}{${declarations(body)}}` : '';
    })
    .join('');
}

/** The theme's own variables, which PrimeReact's structural styles name, as our tokens. */
const variables = `:root{--font-family:var(--font);--font-feature-settings:var(--number);--text-color:var(--text);--text-color-secondary:var(--quiet);
--primary-color:var(--accent);--primary-color-text:var(--on-accent);--border-radius:var(--radius);--surface-ground:var(--ground);--surface-section:var(--surface);
--surface-card:var(--surface);--surface-overlay:var(--raised);--surface-border:var(--line);--surface-hover:var(--hover);--focus-ring:var(--focus);--maskbg:var(--veil);
--highlight-bg:var(--accent-ground);--highlight-text-color:var(--accent);--content-padding:16px;--inline-spacing:8px}`;

const classWords = (components: Iterable<string>): Set<string> => new Set([...shared, ...[...components].flatMap((name) => parts[name] ?? [name])]);

/** The theme with its colours replaced by tokens, and without the rules of components that are not used. */
export const laraCss = (theme: string, components: Iterable<string>): string =>
  variables + write(parse(theme), { used: classWords(components), there: new Set() });

/** The rules that one component needs besides those of the page's own sheet. */
export async function laraPart(theme: string, root: string, component: string): Promise<string> {
  const needed = await withImports(root, [component]);
  const there = classWords(await plainComponents(root));
  return write(parse(theme), { used: new Set([...there, ...classWords(needed)]), there });
}

const importsIn = (code: string): string[] => [...code.matchAll(/from ['"]primereact\/([a-z]+)['"]/g)].map((match) => match[1] ?? '');

async function sourceFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
}

/** Components of PrimeReact with those that these import themselves. */
async function withImports(root: string, names: Iterable<string>): Promise<Set<string>> {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const code = await readFile(join(root, `node_modules/primereact/${name}/${name}.esm.js`), 'utf8').catch(() => '');
    waiting.push(...importsIn(code));
  }
  return found;
}

/** Whose classes our own elements carry: plain elements of the browser's in PrimeReact's look. Its own controls bring their rules themselves. */
export async function plainComponents(root: string): Promise<Set<string>> {
  const texts = await Promise.all((await sourceFiles(join(root, 'src'))).map((file) => readFile(file, 'utf8')));
  return withImports(
    root,
    texts.flatMap((text) => [...text.matchAll(/['"` ]p-([a-z]+)\b/g)].map((match) => match[1] ?? '')),
  );
}

/**
 * Turns the Lara theme into one style sheet that serves light and dark by our tokens. With `?only=calendar` behind its name it is
 * what that component needs besides, for the chunk that the component comes in.
 */
export function laraOnTokens(): Plugin {
  let root = process.cwd();
  return {
    name: 'lara-on-tokens',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
    },
    async transform(code, id) {
      const theme = /primereact\/resources\/themes\/[\w-]+\/theme\.css(?:\?only=([a-z]+))?/.exec(id);
      if (!theme) return null;
      const [, only] = theme;
      return { code: only ? await laraPart(code, root, only) : laraCss(code, await plainComponents(root)), map: null };
    },
  };
}
