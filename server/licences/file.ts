import { type KeyObject, sign, verify } from 'node:crypto';
import { licenceFile, type LicencePayload, licencePayload } from '#models/licences.ts';
import { HttpError } from '../http-error.ts';

/** A licence file, signed: what the vendor hands out. */
export function signLicence(payload: LicencePayload, key: KeyObject): string {
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return JSON.stringify({ payload: text, signature: sign(null, Buffer.from(text), key).toString('base64url') });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A licence file taken apart: what it says, and whether one of the keys has signed exactly that. */
export interface OpenedLicence {
  payload: LicencePayload;
  isTrusted: boolean;
}

/** Opens a licence file. @throws HttpError `corrupted_file` for what is none, `licence_bad_signature` for one signed over other contents */
export function openLicence(file: string, keys: readonly KeyObject[]): OpenedLicence {
  const outer = licenceFile.safeParse(parsed(file));
  if (!outer.success) throw new HttpError('corrupted_file');
  const { payload: text, signature } = outer.data;
  const isTrusted = keys.some((key) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url')));
  const payload = licencePayload.safeParse(parsed(Buffer.from(text, 'base64url').toString('utf8')));
  // Of a licence that nobody we believe has signed, the signature is what is wrong, whatever it says.
  if (!payload.success) throw new HttpError(isTrusted ? 'licence_not_applicable' : 'licence_bad_signature');
  return { payload: payload.data, isTrusted };
}
