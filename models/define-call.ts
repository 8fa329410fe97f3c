import { z } from 'zod';
import type { Feature } from './licence-info.ts';
import type { PermissionCode } from './permission-catalogue.ts';
import type { RuledArea, Verb } from './area-rules.ts';

/**
 * Who may make a call: anybody, anybody signed in, those whom the catalogue lets use the verb in the area, or holders of one
 * of some codes (`about` is the word of the trail for what is refused to all others).
 */
export type Access = 'anyone' | 'signedIn' | { area: RuledArea; verb: Verb } | { codes: readonly PermissionCode[]; about: string };

/** How success is answered: with what was asked for, with a job that has begun, with nothing because there is nothing, or because nothing changed. */
export type SuccessStatus = 200 | 202 | 204 | 304;

/** One call that is not plain CRUD: method, path below /api/v0, what it takes and what it answers inside `data`. */
export interface Call<P extends z.ZodType = z.ZodType, B extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  access: Access;
  /** The licensed feature the call belongs to: project, group and person must all have it. */
  feature?: Feature;
  /** Only the demo has it: elsewhere it is not there for anybody. */
  demo?: true;
  summary: string;
  params: P;
  body: B;
  answer: A;
  /** What may stand behind the question mark; without it, nothing may. Answered 400 `wrong_parameters` otherwise. */
  query?: z.ZodType;
  /** The body is a multipart form of this shape; files are named in `files`. */
  files?: readonly string[];
  /** Files of the form that may be left out. */
  optionalFiles?: readonly string[];
  /** Its files may be as large as a backup, and as long under way. */
  largeFiles?: true;
  /** Goes on while the disk is full: sign-in, doors, calls, alarms. Other calls that write are refused then, 507 `storage_full`. */
  urgent?: true;
  /** May be made by who must set up a second factor before anything else. */
  enrols?: true;
  /** Writes nothing, whatever its method: it may be repeated, and goes on while a role is previewed. */
  reads?: true;
  /** Answers a file instead of `{data}`. */
  download?: boolean;
  /** The answer is handed to the browser (its authenticator, its push service), and what that answers is what the call brings. */
  ceremony?: 'create' | 'get' | 'look' | 'subscribe';
  /** The statuses of success, when not 200 alone; the first, unless the handler sets another of them. */
  success?: readonly [SuccessStatus, ...SuccessStatus[]];
  /** How long the client waits, in ms, when not the default; what is longer than that is named in `long-calls.ts`. */
  timeout?: number | false;
}

/** The body is a multipart form. */
export const takesForm = ({ files, optionalFiles }: Pick<Call, 'files' | 'optionalFiles'>): boolean =>
  files !== undefined || optionalFiles !== undefined;

/** No body. */
export const nothing = z.undefined();
const none = z.strictObject({});
/** A path that names one row. */
export const byId = z.strictObject({ id: z.uuid() });
const done = z.null();

/** Puts a call together; what it does not say is nothing. */
export const call = <P extends z.ZodType = typeof none, B extends z.ZodType = typeof nothing, A extends z.ZodType = typeof done>(
  definition: Pick<
    Call,
    | 'method'
    | 'path'
    | 'access'
    | 'feature'
    | 'demo'
    | 'summary'
    | 'urgent'
    | 'enrols'
    | 'reads'
    | 'query'
    | 'files'
    | 'optionalFiles'
    | 'largeFiles'
    | 'download'
    | 'success'
    | 'timeout'
    | 'ceremony'
  > & {
    params?: P;
    body?: B;
    answer?: A;
  },
): Call<P, B, A> => ({ params: none as unknown as P, body: nothing as unknown as B, answer: done as unknown as A, ...definition });
