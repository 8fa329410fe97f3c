import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../http-error.ts';
import { base, type ServedCall } from '../serve.ts';
import { describeApi } from './openapi-document.ts';

/** The files of the reader that come with @fastify/swagger-ui; the page and its start are our own, so that our CSP holds. */
const readerFiles = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'index.css', 'favicon-32x32.png']);
const readerFolder = () => join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Doorward API</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="${base}/docs/favicon-32x32.png"><link rel="stylesheet" href="${base}/docs/swagger-ui.css"><link rel="stylesheet" href="${base}/docs/index.css"></head>
<body><div id="swagger-ui"></div><script src="${base}/docs/swagger-ui-bundle.js"></script><script src="${base}/docs/start.js"></script></body>
</html>
`;
const start = `window.ui = SwaggerUIBundle({ url: '${base}/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });\n`;

/** Publishes the API: the document at `/openapi.json`, written when first asked for, and a reader at `/docs`. */
export function publishApi(app: FastifyInstance, served: readonly ServedCall[]): void {
  const open = { config: { access: 'anyone' } } as const;
  let document: string | undefined;
  app.get(`${base}/openapi.json`, open, (_request, reply) => {
    document ??= JSON.stringify(describeApi(served));
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(document);
  });
  app.get(`${base}/docs/`, open, (_request, reply) => reply.redirect(`${base}/docs`));
  app.get(`${base}/docs`, open, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  app.get<{ Params: { file: string } }>(`${base}/docs/:file`, open, (request, reply) => {
    const { file } = request.params;
    if (file === 'start.js') return reply.type('text/javascript; charset=utf-8').send(start);
    if (!readerFiles.has(file)) throw new HttpError('not_found');
    return reply.header('cache-control', 'public, max-age=86400').sendFile(file, readerFolder(), { cacheControl: false });
  });
}
