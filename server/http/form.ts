import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { constants } from '#models/constants.ts';
import { lengthOf } from '#models/time.ts';
import type { Config } from '../config.ts';
import { HttpError } from '../http-error.ts';

/** One uploaded file, on the disk until the request is answered; its name and type are the sender's word, only its bytes are to be believed. */
export interface Upload {
  name: string;
  /** Where its bytes lie, until the answer. */
  path: string;
  /** SHA-256 of its bytes. */
  digest: string;
}

const cannotHold = new Set(['__proto__', 'constructor', 'prototype']);

/** Streams a file to the disk, a chunk at a time; at the limit it ends there and then, not when the sender does. */
async function storeUpload(file: Readable, path: string): Promise<string> {
  const digest = createHash('sha256');
  file.once('limit', () => file.destroy(new HttpError('too_large')));
  file.on('data', (chunk: Buffer) => digest.update(chunk));
  await pipeline(file, createWriteStream(path, { flags: 'wx' }));
  return digest.digest('hex');
}

type Place = Pick<Config, 'data'>;
const folderOf = ({ data }: Place): string => join(data, 'uploads');

interface Form {
  fields: Record<string, string>;
  files: Record<string, Upload>;
}

/** Takes the parts of a form as they come in. */
async function readParts(
  request: FastifyRequest,
  folder: string,
  expected: readonly string[],
  mostBytes: number,
  { fields, files }: Form,
): Promise<void> {
  const uploads = (request.uploads ??= []);
  for await (const part of request.parts({
    limits: { files: expected.length, fileSize: mostBytes, fields: 20, fieldSize: 100_000, parts: 20 + expected.length },
  })) {
    if (cannotHold.has(part.fieldname)) throw new HttpError('wrong_parameters', { parameter: 'body', value: part.fieldname });
    if (part.type === 'field') fields[part.fieldname] = String(part.value);
    else if (!expected.includes(part.fieldname) || part.fieldname in files)
      throw new HttpError('invalid_data', { issues: [{ path: [part.fieldname.slice(0, 64)], rule: 'unknown_field', params: {} }] });
    else {
      const path = join(folder, randomUUID());
      uploads.push(path);
      files[part.fieldname] = { name: part.filename, path, digest: await storeUpload(part.file, path) };
    }
  }
}

/** What a parser or a disk said, as it is to be answered: a parser's word without a status is that the form is cut short or misshapen. */
const asHttpError = (error: unknown): unknown =>
  error instanceof HttpError || (error as { statusCode?: number }).statusCode !== undefined || (error as { errno?: number }).errno !== undefined
    ? error
    : new HttpError('wrong_parameters', { parameter: 'body', value: 'form' });

/**
 * Reads a multipart form: text fields, and the files the call names, each at most once and within the limit. Files lie in
 * the data folder until the request is answered (see removeUploads).
 */
export async function readForm(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Place,
  expected: readonly string[],
  optional: readonly string[] = [],
  mostBytes: number = constants.uploadLimitBytes,
): Promise<Form> {
  if (!request.isMultipart()) throw new HttpError('unsupported_media');
  const form: Form = { fields: {}, files: {} };
  try {
    const folder = folderOf(config);
    await mkdir(folder, { recursive: true });
    await readParts(request, folder, [...expected, ...optional], mostBytes, form);
  } catch (error) {
    stopReading(request, reply);
    await removeUploads(request);
    throw asHttpError(error);
  }
  const missing = expected.find((name) => !form.files[name]);
  if (missing) throw new HttpError('invalid_data', { issues: [{ path: [missing], rule: 'required', params: {} }] });
  return form;
}

/** Takes what was uploaded off the disk; whoever wanted to keep it has made a copy. */
export async function removeUploads({ uploads }: FastifyRequest): Promise<void> {
  await Promise.all((uploads?.splice(0) ?? []).map((path) => rm(path, { force: true })));
}

/** Removes what a process that died left behind: no request lasts an hour. */
export async function forgetUploads(config: Place, now: Date): Promise<void> {
  const folder = folderOf(config);
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && now.getTime() - found.mtimeMs > lengthOf(1, 'hour')) await rm(join(folder, name), { force: true });
  }
}

/** Time for a busy sender to read why it is cut off: closed at once, a connection with unread bytes takes the answer along. */
const farewell = 1_000;

/** What is still on its way is not worth the reading: answer, read no more, and cut the connection a moment later. */
function stopReading({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (raw.complete) return;
    raw.socket.pause();
    setTimeout(() => raw.destroy(), farewell).unref();
  });
}
