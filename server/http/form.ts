import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/** One uploaded file; its name and type are the sender's word, only its bytes are to be believed. */
export interface Upload {
  name: string;
  bytes: Buffer;
}

/** Largest file of a form in bytes. */
export const uploadLimit = 10 * 1024 * 1024;

const cannotHold = new Set(['__proto__', 'constructor', 'prototype']);

/** The bytes of a file; at the limit it ends there and then, not when the sender does. */
async function wholeFile(file: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  file.once('limit', () => file.destroy(new Refusal('too_large')));
  for await (const chunk of file) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Reads a multipart form: text fields, and the files the call names, each at most once and within the limit. */
export async function readForm(
  request: FastifyRequest,
  reply: FastifyReply,
  expected: readonly string[],
): Promise<{ fields: Record<string, string>; files: Record<string, Upload> }> {
  if (!request.isMultipart()) throw new Refusal('unsupported_media');
  const fields: Record<string, string> = {};
  const files: Record<string, Upload> = {};
  try {
    for await (const part of request.parts({
      limits: { files: expected.length, fileSize: uploadLimit, fields: 20, fieldSize: 10_000, parts: 20 + expected.length },
    })) {
      if (cannotHold.has(part.fieldname)) throw new Refusal('wrong_parameters', { parameter: 'body', value: part.fieldname });
      if (part.type === 'field') fields[part.fieldname] = String(part.value);
      else if (!expected.includes(part.fieldname) || part.fieldname in files)
        throw new Refusal('invalid_data', { issues: [{ path: [part.fieldname.slice(0, 64)], rule: 'unknown_field', params: {} }] });
      else files[part.fieldname] = { name: part.filename, bytes: await wholeFile(part.file) };
    }
  } catch (error) {
    stopReading(request, reply);
    // What the parser says without a status is that the form is cut short or misshapen.
    throw error instanceof Refusal || (error as { statusCode?: number }).statusCode !== undefined
      ? error
      : new Refusal('wrong_parameters', { parameter: 'body', value: 'form' });
  }
  const missing = expected.find((name) => !files[name]);
  if (missing) throw new Refusal('invalid_data', { issues: [{ path: [missing], rule: 'required', params: {} }] });
  return { fields, files };
}

/** What is still on its way is not worth the reading: answer, then cut the connection. */
function stopReading(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  reply.raw.once('finish', () => setTimeout(() => request.raw.destroy(), 200).unref());
}
