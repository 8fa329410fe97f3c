import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { picture } from './define-model.ts';
import { enrolmentCalls } from './enrolment.ts';
import { guestCalls } from './guest-access.ts';
import { ukey2Calls } from './ukey2.ts';

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
