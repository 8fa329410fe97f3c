import { accessSync, constants, existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keyInAddress } from '#models/guest-address.ts';
import type { Services } from '../context.ts';
import { type FirstScreens, withFirstScreen } from './first-screens.ts';
import { labelled, labelReader } from './label.ts';
import { PageLoads } from './page-loads.ts';
import { nonceOf } from './security.ts';

/** The folder of the built console, found from wherever this file runs. */
function webFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'dist', 'web');
    if (folder === dirname(folder)) return join(process.cwd(), 'dist', 'web');
  }
}

const noBuild = 'The console is not built yet: run "npm run build" (or "npm start", which does it), or use "npm run dev" and its address.\n';

/** A file that is there to be read; null whatever the system has against it: no such name, one too long, a loop, no permission. */
function readable(path: string): Stats | null {
  try {
    const found = statSync(path);
    accessSync(path, constants.R_OK);
    return found.isFile() ? found : null;
  } catch {
    return null;
  }
}

/** A file of the build, read anew when it changed on disk; null while it is not there. */
function fileReader<T>(path: string, parse: (text: string) => T): () => T | null {
  let content: T | null = null;
  let readAt = -1;
  return () => {
    const at = readable(path)?.mtimeMs;
    if (at === undefined) return null;
    if (at !== readAt) content = parse(readFileSync(path, 'utf8'));
    readAt = at;
    return content;
  };
}
const pageReader = (path: string): (() => string | null) => fileReader(path, (text) => text);

const sendPage = (reply: FastifyReply, page: string | null): FastifyReply => {
  if (page === null) return reply.code(503).type('text/plain; charset=utf-8').send(noBuild);
  const html = page.replaceAll('__CSP_NONCE__', nonceOf(reply.raw));
  return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(html);
};

const wantsPage = ({ headers, url }: FastifyRequest): boolean =>
  !/^\/(?:api|assets)(?:\/|$)/.test(url) && /text\/html|^\*\/\*$/.test(headers.accept ?? '');

/** Headers that mean something on a page only; on seventy assets they would be a quarter of what the first list costs. */
const pageOnly = [
  'referrer-policy',
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
  'x-request-id',
];

/** A name no file system knows is neither a file nor an address of the console's own. */
const longestName = 255;
const longestPath = 4_000;
const canBeNamed = (path: string): boolean =>
  !path.includes('\0') && Buffer.byteLength(path) <= longestPath && path.split('/').every((part) => Buffer.byteLength(part) <= longestName);

/** Asked for with every page, and hardly ever another one. */
const isIcon = (path: string): boolean => /^icon[\w-]*\.(?:svg|png)$/.test(path);

const isFile = (root: string, path: string): boolean => !path.split('/').some((part) => part.startsWith('.')) && readable(join(root, path)) !== null;

/**
 * Serves the built console: hashed assets for a year, other files fresh, and index.html for every address of the console's
 * own. A missing asset is missing, so that an old page after a new build finds out.
 */
export async function serveConsole(app: FastifyInstance, services: Services, root: string = webFolder()): Promise<void> {
  // The plugin wants a folder that is there; each file is sent from `root` by name.
  await app.register(fastifyStatic, { root: existsSync(root) ? root : import.meta.dirname, serve: false, preCompressed: true, cacheControl: false });
  const page = pageReader(join(root, 'index.html'));
  const guest = pageReader(join(root, 'src', 'guest', 'index.html'));
  const screens = fileReader(join(root, '.vite', 'first-screens.json'), (text) => JSON.parse(text) as FirstScreens);
  const pageLoads = new PageLoads();
  services.pageLoads = pageLoads;
  const labelOf = labelReader(services);
  const answerPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    pageLoads.note(request.ip);
    const bare = page();
    // No URL is made of it: what strangers ask for need not be one.
    const [pathname = '/'] = request.url.split('?');
    const plain = bare && withFirstScreen(bare, screens() ?? {}, pathname, request.headers['accept-language']);
    return sendPage(reply, plain && labelled(plain, await labelOf(request.headers.host), services));
  };
  app.get('/*', { config: { access: 'anyone' } }, async (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    if (path === '' || path === 'index.html') return answerPage(request, reply);
    if (keyInAddress(`/${path}`) !== null)
      return sendPage(reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer'), guest());
    if (path.endsWith('.html')) return reply.callNotFound();
    if (!canBeNamed(path)) return reply.callNotFound();
    if (isFile(root, path)) {
      void reply.header('vary', 'accept-encoding');
      const hashed = path.startsWith('assets/');
      if (hashed) for (const name of pageOnly) void reply.removeHeader(name);
      void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : isIcon(path) ? 'public, max-age=86400' : 'no-cache');
      // Whoever holds a hashed asset never asks again: there is nothing to compare.
      return hashed ? reply.sendFile(path, root, { etag: false, lastModified: false, acceptRanges: false }) : reply.sendFile(path, root);
    }
    if (wantsPage(request)) return answerPage(request, reply);
    return reply.callNotFound();
  });
}
