import type { SystemInfo } from '#models/system-info.ts';
import { sizeText } from '#src/components/size-text.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';

/** Versions, database, disk, and what the project has under way. */
export function FactsCard({ info }: { info: SystemInfo }) {
  const { t, locale } = useText();
  const { database, disk, work, devices } = info;
  const number = (value: number): string => value.toLocaleString(locale);
  const facts = [
    ['version', `${info.version} (${info.migration})`],
    ['started', <When key="started" at={info.started_at} />],
    ['node', `${info.node}, ${info.platform}`],
    ['database', `${t(`areas.system.databases.${database.kind}`)} ${database.version}`],
    ['database_size', sizeText(database.bytes, locale)],
    ['connections', number(database.connections)],
    ['disk', t('areas.system.disk_free', { free: sizeText(disk.free, locale), total: sizeText(disk.total, locale) })],
    ['devices', t('areas.system.of', { part: number(devices.online), whole: number(devices.total) })],
    ['calls', number(work.calls)],
    ['jobs', t('areas.system.jobs', { running: number(work.jobs_running), queued: number(work.jobs_queued) })],
    ['tasks', number(work.tasks_waiting)],
    ['mails', number(work.mails_waiting)],
  ] as const;
  return (
    <section className="card system-card" aria-labelledby="system-facts">
      <header className="card-head">
        <h2 id="system-facts">{t('areas.system.facts_title')}</h2>
      </header>
      <dl className="card-body system-facts">
        {facts.map(([key, value]) => (
          <div key={key} className="fact">
            <dt>{t(`areas.system.facts.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
