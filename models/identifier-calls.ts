import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { named, picture } from './define-model.ts';
import { enrolmentCalls } from './enrolment.ts';
import { guestCalls } from './guest-access.ts';
import { ukey2Calls } from './ukey2.ts';

/** What an identifier opens in other hands: doors that open, close, or open at other times, among those in sight. */
export const transferEffect = z.strictObject({ from: named, to: named, opens: z.array(named), closes: z.array(named), hours: z.array(named) });
export type TransferEffect = z.infer<typeof transferEffect>;

/** What people do with identifiers and the keys of guests besides the plain calls. */
export const identifierCalls = {
  revokeIdentifier: call({
    method: 'POST',
    path: '/identifiers/{id}/revoke',
    access: { area: 'identifiers', verb: 'edit' },
    summary: 'Revoke an identifier: it opens nothing any more',
    params: byId,
  }),
  restoreIdentifier: call({
    method: 'POST',
    path: '/identifiers/{id}/restore',
    access: { area: 'identifiers', verb: 'edit' },
    summary: 'Restore a revoked identifier; ukey2 stays revoked',
    params: byId,
  }),
  loseIdentifier: call({
    method: 'POST',
    path: '/identifiers/{id}/lost',
    access: { area: 'identifiers', verb: 'view' },
    summary: 'Report an identifier lost, at once; its owner may, too',
    params: byId,
  }),
  findIdentifier: call({
    method: 'POST',
    path: '/identifiers/{id}/found',
    access: { area: 'identifiers', verb: 'edit' },
    summary: 'A lost identifier was found: it opens again',
    params: byId,
  }),
  transferEffect: call({
    method: 'GET',
    path: '/identifiers/{id}/transfer/{user}',
    access: { area: 'identifiers', verb: 'edit' },
    summary: 'Which doors an identifier would open and close if it were given to another user; nothing is written',
    params: byId.extend({ user: z.uuid() }),
    answer: transferEffect,
  }),
  transferIdentifier: call({
    method: 'POST',
    path: '/identifiers/{id}/transfer',
    access: { area: 'identifiers', verb: 'edit' },
    summary: 'Give an identifier to another user; 412 if it is not that of `from` any more',
    params: byId,
    body: z.strictObject({ from: z.uuid(), to: z.uuid() }),
  }),
  setIdentifierPhoto: call({
    method: 'POST',
    path: '/identifiers/{id}/photo',
    access: { area: 'identifiers', verb: 'edit' },
    summary: 'Upload the photo of a face identifier',
    params: byId,
    files: ['image'],
    answer: z.strictObject({ photo: picture }),
  }),
  ...enrolmentCalls,
  ...guestCalls,
  ...ukey2Calls,
} as const;
