import type { AnnounceReach } from '#models/announce-calls.ts';
import { useText } from '#src/components/text.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import '#src/views/announces/announces.css';

const fields = ['users', 'domains', 'roles', 'markers'] as const;
const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : String((one as { id: string }).id))) : [];

/** How many people a draft would reach, counted by the server whenever its recipients change; null while nobody is named. */
export function useReach(draft: Readonly<Record<string, unknown>>): AnnounceReach | null {
  const named = Object.fromEntries(fields.map((field) => [field, idsOf(draft[field])])) as Record<(typeof fields)[number], string[]>;
  const isEmpty = fields.every((field) => named[field].length === 0);
  return useReading('announceReach', isEmpty ? null : { body: named }).answer;
}

/** Who would get it now. */
export function ReachLine({ draft }: { draft: Readonly<Record<string, unknown>> }) {
  const { t } = useText();
  const reach = useReach(draft);
  if (!reach) return null;
  const ways = idsOf(draft['send_via']);
  const parts = [
    ...(ways.includes('email') ? [t('areas.announces.reach_email', { count: reach.email })] : []),
    ...(ways.includes('devices') ? [t('areas.announces.reach_devices', { count: reach.devices })] : []),
    ...(ways.includes('sms') ? [t('areas.announces.reach_sms', { count: reach.sms })] : []),
  ];
  const without = reach.people - reach.sms;
  return (
    <>
      <p className="reach-line" role="status">
        <i className="pi pi-users" aria-hidden="true" />
        <span>
          <strong>{t('areas.announces.reach', { count: reach.people })}</strong>
          {parts.map((part) => ` · ${part}`)}
        </span>
      </p>
      {ways.includes('email') && !reach.mail_server && <p className="notice">{t('areas.announces.no_mail_server')}</p>}
      {ways.includes('sms') && without > 0 && <p className="reach-line quiet">{t('areas.announces.no_phone', { count: without })}</p>}
      {ways.includes('sms') && !reach.sms_gateway && <p className="notice">{t('areas.announces.no_gateway')}</p>}
    </>
  );
}
