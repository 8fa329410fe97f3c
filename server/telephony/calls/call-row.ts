import { sipHeaders } from '#models/sip.ts';
import type { Begin } from './begin.ts';
import type { NewCall } from './book.ts';
import { offersVideo } from './live-leg.ts';
import type { Found } from './found.ts';
import type { Role } from './types.ts';

/** Where a call stands when it begins: whoever sees it first need not be told a second time. */
function firstStatus({ transfer }: Begin, { route }: Found): NewCall['status'] {
  if (route.kind === 'refused' || transfer?.other) return 'new';
  if (route.stages.length > 0) return 'calling';
  return route.queue ? 'waiting' : 'new';
}

/** The row that a call begins with: who and what, as it is at this moment. */
export function firstRow(begin: Begin, found: Found, at: Date): NewCall {
  const { id, caller, leg, sos, transfer } = begin;
  const { route, callee } = found;
  const { holder, name, number, projectId } = caller;
  const goesOut = route.kind === 'open' && route.stages.some(({ rings }) => rings.some(({ phone }) => phone));
  return {
    id,
    projectId,
    callerNumber: number,
    callerName: holder?.name ?? name,
    callerUserId: holder?.userId ?? null,
    callerDeviceId: holder?.deviceId ?? null,
    callerDomainId: holder?.groupId ?? null,
    calleeNumber: callee.number,
    calleeName: callee.name,
    calleeUserId: callee.userId,
    calleeDeviceId: callee.deviceId,
    calleeDomainId: callee.domainId,
    type: route.kind === 'open' ? route.type : 'normal',
    status: firstStatus(begin, found),
    sos,
    video: offersVideo(leg.offer),
    trunk: holder === null ? 'incoming' : goesOut ? 'outgoing' : null,
    parentId: transfer?.parentId ?? null,
    createdAt: at,
    updatedAt: at,
    renewedAt: at,
  };
}

/** What an INVITE says of the call to one who is rung as this (clause SIP-06). */
export const inviteHeaders = ({ id, number, sos }: Begin, found: Found | null, as: Role): Record<string, string> => ({
  [sipHeaders.speechId]: id,
  [sipHeaders.speechType]: as === 'callee' ? 'normal' : 'awaiting',
  [sipHeaders.targetCallee]: found?.callee.number ?? number,
  ...(sos && { [sipHeaders.sosCall]: '1' }),
});
