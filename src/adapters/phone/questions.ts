import type { ConciergeDoor, Contact, DoorOutcome, InterceptionSettings, RecentCall, RecentPage, WaitingCalls } from '#machines/phone/ports.ts';
import type { CallRequest } from '#machines/form/form.machine.ts';
import type { CallInfo, ServerCall } from '#models/call.ts';
import { constants } from '#models/constants.ts';
import type { ConciergeDevice } from '#models/devices.ts';
import type { Contact as ContactRow, DialerEntry, Interception, PhoneSettings } from '#models/phone-calls.ts';
import type { Http } from '../http.ts';
import { momentOf } from './server-clock.ts';

type RunCall = (request: CallRequest) => Promise<unknown>;

const { size } = constants.dialerHistoryPage;
const settingsOf = ({ is_active: isActive, groups, user_groups: userGroups }: Interception): InterceptionSettings => ({
  isActive,
  groups,
  userGroups,
});
const contactOf = ({ name, number, kind, title, user, group, is_reachable: isReachable }: ContactRow): Contact => ({
  name,
  number,
  title,
  user,
  group,
  isReachable,
  isDesk: kind === 'group',
});
const doorOf = ({ id, token, name, sip_number: sip, path, status, has_camera: hasCamera }: ConciergeDevice): ConciergeDoor => ({
  id,
  token,
  name,
  number: sip?.number ?? null,
  path,
  isOnline: status === null ? null : status === 'online',
  hasCamera,
});

const endOf = ({ number, user }: DialerEntry['from']): RecentCall['from'] => ({ number, name: user?.name ?? null });
function recentOf(row: DialerEntry): RecentCall {
  return {
    id: row.id,
    from: endOf(row.from),
    to: endOf(row.to),
    status: row.status,
    direction: row.direction,
    duration: row.duration,
    at: Date.parse(row.created_at),
    answeredBy: row.answered_by,
    doorOpened: row.door_opened,
    sos: row.sos,
    note: row.note,
    home: row.home,
    picture: row.image_url,
  };
}

/** What the phone asks of the server by HTTP, each call of the contract in the machines' words. */
export function openPhoneQuestions(runCall: RunCall, http: Http) {
  // Answers have the shape of the contract, which the server keeps.
  const ask = async <Answer>(request: CallRequest): Promise<Answer> => (await runCall(request)) as Answer;
  const readSettings = (): Promise<PhoneSettings> => ask({ call: 'phoneSettings' });
  return {
    readSettings,
    /** Addresses and ICE credentials stay with the adapters. */
    readDesk: async (): Promise<Pick<PhoneSettings, 'queues' | 'recall_seconds'>> => {
      const { queues, recall_seconds } = await readSettings();
      return { queues, recall_seconds };
    },
    async readWaiting(): Promise<WaitingCalls> {
      const answer = await http.send({ method: 'GET', path: '/calls/waiting' });
      const { data: calls } = (await answer.json()) as { data: ServerCall[] };
      return { calls, at: momentOf(answer) };
    },
    stopCall: ({ speechId }: { speechId: string }): Promise<void> => ask({ call: 'stopCall', params: { speechId } }),
    connectCalls: ({ speechId, with: other }: { speechId: string; with: string }): Promise<void> =>
      ask({ call: 'transferCall', params: { speechId }, body: { speech_id: other } }),
    readCallInfo: ({ number }: { number: string }): Promise<CallInfo> => ask({ call: 'callInfo', params: { number } }),
    readContacts: async (): Promise<readonly Contact[]> => (await ask<ContactRow[]>({ call: 'contacts' })).map(contactOf),
    async readRecents({ number, page }: { number: string; page: number }): Promise<RecentPage> {
      const { data, meta } = await http.whole<{ data: DialerEntry[]; meta: { total: number } }>({
        method: 'GET',
        path: `/calls/history/dialer/${encodeURIComponent(number)}`,
        query: { page: String(page), size: String(size) },
      });
      return { calls: data.map(recentOf), total: meta.total };
    },
    readInterception: async (): Promise<InterceptionSettings> => settingsOf(await ask({ call: 'interception' })),
    setInterception: async ({ isActive, groups }: { isActive: boolean; groups: readonly string[] }): Promise<InterceptionSettings> =>
      settingsOf(await ask({ call: 'setInterception', body: { is_active: isActive, domains: groups } })),
    readDoors: async (): Promise<readonly ConciergeDoor[]> => (await ask<ConciergeDevice[]>({ call: 'conciergeDevices' })).map(doorOf),
    openDoor: ({ token, speechId, reason }: { token: string; speechId: string | null; reason: string | null }): Promise<{ outcome: DoorOutcome }> =>
      ask({ call: 'openDoor', body: { token, speech_id: speechId, ...(reason !== null && { reason }) } }),
  };
}
