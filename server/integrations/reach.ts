import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Trust } from './certificate.ts';
import { requireReachable, guardedLookup } from './guard.ts';

/** What is asked of another system. */
export interface Asked {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  trust?: Trust;
  /** The whole exchange ends after so many ms. */
  timeout: number;
  /** No more of an answer is read. */
  mostBytes: number;
  /** Whether this machine itself may be reached. */
  loopback: boolean;
  /** Private networks may not be reached either. */
  publicly?: boolean;
  signal?: AbortSignal | undefined;
}
export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** How long each address of a host but the last is tried, in ms: Node's own 250 are too few for a far or busy system where nothing answers at the next. */
const addressTimeout = 2_000;

/**
 * One exchange with another system. Redirects are not followed: they are answers like any other.
 * @throws Forbidden, or Error where it is not reached, comes too late, or answers more than is read
 */
export function reach({ url, method, headers = {}, body, trust, timeout, mostBytes, loopback, publicly = false, signal }: Asked): Promise<Answered> {
  requireReachable(url, loopback, publicly);
  return new Promise((done, fail) => {
    const request = url.startsWith('https:') ? tlsRequest : plainRequest;
    const late = AbortSignal.timeout(timeout);
    const options = {
      method,
      headers: { 'user-agent': 'Doorward', ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      agent: false,
      lookup: guardedLookup(loopback, publicly),
      autoSelectFamilyAttemptTimeout: addressTimeout,
      signal: signal ? AbortSignal.any([late, signal]) : late,
      ...trust,
    };
    const sent = request(url, options, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > mostBytes) sent.destroy(new Error('the answer is too long'));
        else parts.push(part);
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }));
      answer.on('error', fail);
    });
    sent.on('error', (error) => fail(late.aborted ? new Error('no answer in time') : error));
    sent.end(body);
  });
}
