import type { OpenAlarms } from '#machines/alarms/alarms.setup.ts';
import type { DeviceAlarm } from '#models/device-alarms.ts';
import { emptyQuery, writeQuery } from '#models/query.ts';
import type { Http } from './http.ts';

const most = 50;
const open = writeQuery({
  ...emptyQuery,
  size: most,
  sort: ['-enabled_at'],
  filters: { match: 'match_all', items: [{ field: 'state', rule: 'not_equals', value: 'processed' }] },
});

/** What the alarms ask of the server. */
export function openAlarms(http: Http) {
  return {
    async readAlarms(signal: AbortSignal): Promise<OpenAlarms> {
      const { data, meta } = await http.whole<{ data: DeviceAlarm[]; meta: { total: number } }>({
        method: 'GET',
        path: '/device-alarms',
        query: open,
        signal,
      });
      return { alarms: data, total: meta.total };
    },
    claimAlarm: ({ id }: { id: string }): Promise<DeviceAlarm> => http.data({ method: 'POST', path: `/device-alarms/${id}/claim` }),
    processAlarm: ({ id, comment }: { id: string; comment: string | null }): Promise<DeviceAlarm> =>
      http.data({ method: 'POST', path: `/device-alarms/${id}/process`, body: { comment } }),
  };
}
