import { useSelector } from '@xstate/react';
import { Link } from 'react-router-dom';
import type { Attention as Counts } from '#models/home.ts';
import type { AreaName } from '#models/areas.ts';
import { type Actor, hasPermission, scopesOf } from '#models/permissions.ts';
import type { FilterItem } from '#models/query.ts';
import { useText } from '#src/components/text.ts';
import { useInbox } from '../notifications/use-inbox.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { useLicence } from '../system.ts';
import { HomeCard } from './home-card.tsx';
import { useFigures } from './use-figures.ts';
import { firstRows, listAddress } from './use-rows.ts';

/** At most one reading a second, however much happens. */
const pause = 1_000;

interface Waiting {
  id: 'alarms' | 'devices' | 'tasks' | 'licences' | 'notifications';
  icon: `pi-${string}`;
  count: number;
  to: string;
  tone: 'bad' | 'warn';
  more?: string;
}

const listOf = (path: string, item: FilterItem, sort: string): string => listAddress(path, firstRows(20, [item], [sort]));
const addresses = {
  alarms: listOf('/devices/alarms', { field: 'state', rule: 'not_equals', value: 'processed' }, '-enabled_at'),
  devices: listOf('/devices', { field: 'status', rule: 'equals', value: 'offline' }, '-status_at'),
  tasks: listOf('/devices/tasks', { field: 'status', rule: 'equals', value: 'error' }, '-created_at'),
} as const;

/** The areas in which something can wait for this person. */
function watched(actor: Actor): AreaName[] {
  const sees = (area: 'device-alarms' | 'device-tasks'): boolean => scopesOf(actor, 'view', area).length > 0;
  return [
    ...(sees('device-alarms') ? (['device-alarms'] as const) : []),
    ...(hasPermission(actor, 'can_view_device_heartbeat') ? (['devices'] as const) : []),
    ...(sees('device-tasks') ? (['device-tasks'] as const) : []),
  ];
}

/** How many licences end, null while that is not known, and where that is seen to: the project's, or the group's that ends. */
function useEnding(): { count: number | null; to: string } {
  const reminders = useSelector(useLicence(), (snapshot) => snapshot?.context.licenceStatus?.reminders);
  const group = reminders?.every((one) => one.group !== null) ? reminders[0]?.group : null;
  return { count: reminders?.length ?? null, to: group ? `/groups/${group.id}` : '/licenses' };
}

/** A row for each kind of thing this person sees to and of which it is known, most urgent first, in order or not; none while everything is. */
function useWaiting(counts: Counts | null): Waiting[] {
  const { t } = useText();
  const managesLicences = hasPermission(actorOf(useProfile()), 'can_manage_licenses');
  const ending = useEnding();
  const unread = useInbox()?.important_unread ?? null;
  if (!counts) return [];
  const { alarms, devices_offline: offline, tasks_failed: failed } = counts;
  const unclaimed = alarms?.unclaimed ?? 0;
  const rows: (Omit<Waiting, 'count'> & { count: number | null })[] = [
    {
      id: 'alarms',
      icon: 'pi-bell',
      count: alarms?.open ?? null,
      to: addresses.alarms,
      tone: unclaimed > 0 ? 'bad' : 'warn',
      ...(unclaimed > 0 && { more: t('home.attention.unclaimed', { count: unclaimed }) }),
    },
    { id: 'devices', icon: 'pi-wifi', count: offline, to: addresses.devices, tone: 'warn' },
    { id: 'tasks', icon: 'pi-times-circle', count: failed, to: addresses.tasks, tone: 'warn' },
    { id: 'licences', icon: 'pi-verified', to: ending.to, count: managesLicences || ending.count ? ending.count : null, tone: 'warn' },
    { id: 'notifications', icon: 'pi-envelope', count: unread, to: '/notifications?type=important', tone: 'warn' },
  ];
  const shown = rows.filter((row): row is Waiting => row.count !== null);
  return shown.some(({ count }) => count > 0) ? shown : [];
}

/** One row: what waits, leading to its list, or that nothing does. */
function Row({ id, icon, count, to, tone, more }: Waiting) {
  const { t } = useText();
  if (count === 0)
    return (
      <div className="home-row home-waiting" data-tone="quiet">
        <i className="pi pi-check" aria-hidden="true" />
        <span className="home-what">{t(`home.attention.none.${id}`)}</span>
      </div>
    );
  return (
    <Link to={to} className="home-row home-waiting" data-tone={tone}>
      <i className={`pi ${icon}`} aria-hidden="true" />
      <span className="home-what">{t(`home.attention.${id}`, { count })}</span>
      {more && <span className="small home-more">{more}</span>}
    </Link>
  );
}

/** What needs a person now, counted, each row leading to its list; and what is in order. */
export function Attention() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  const areas = watched(actor);
  const { answer, problem, reload } = useFigures('attention', areas, pause);
  const rows = useWaiting(answer);
  return (
    <HomeCard
      title={t('home.attention.title')}
      icon="pi-inbox"
      answer={{ loading: !answer, rows, problem, reload }}
      empty={t('home.attention.quiet')}
      emptyIcon="pi-check-circle"
      lines={areas.length + (hasPermission(actor, 'can_manage_licenses') ? 2 : 1)}
      aside={
        answer?.has_simulator && (
          <Link to="/simulator" className="home-aside home-act">
            <i className="pi pi-sliders-h" aria-hidden="true" />
            {t('home.simulator')}
          </Link>
        )
      }
    >
      {(row) => <Row {...row} />}
    </HomeCard>
  );
}
