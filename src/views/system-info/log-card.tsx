import type { LogFilter } from '#machines/system-watch.machine.ts';
import { type LogLine, logLevels } from '#models/system-info.ts';
import { Button } from '#src/components/button.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';

interface LogCardProps {
  lines: readonly LogLine[];
  filter: LogFilter;
  held: boolean;
  onFilter: (filter: LogFilter) => void;
  onHold: (on: boolean) => void;
}

/** The last lines of the log, newest first; secrets were taken out before they were written. */
export function LogCard({ lines, filter, held, onFilter, onHold }: LogCardProps) {
  const { t } = useText();
  return (
    <section className="card system-card" aria-labelledby="system-log">
      <header className="card-head">
        <h2 id="system-log" className="grow">
          {t('areas.system.log.title')}
        </h2>
        <select
          className="log-level"
          aria-label={t('areas.system.log.level')}
          value={filter.level}
          onChange={({ target }) => onFilter({ ...filter, level: logLevels.find((level) => level === target.value) ?? 'info' })}
        >
          {logLevels.map((level) => (
            <option key={level} value={level}>
              {t(`areas.system.log.levels.${level}`)}
            </option>
          ))}
        </select>
        <TextInput
          className="log-search"
          type="search"
          aria-label={t('areas.system.log.search')}
          placeholder={t('areas.system.log.search')}
          maxLength={100}
          value={filter.search}
          onChange={({ target }) => onFilter({ ...filter, search: target.value })}
        />
        <Button
          tone="plain"
          small
          icon={held ? 'pi-play' : 'pi-pause'}
          label={t(held ? 'areas.system.log.follow' : 'areas.system.log.hold')}
          onClick={() => onHold(!held)}
        />
      </header>
      {lines.length === 0 ? (
        <p className="quiet log-none">{t('areas.system.log.none')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
        <ol className="log-lines" tabIndex={0} aria-label={t('areas.system.log.title')}>
          {lines.toReversed().map(({ id, at, level, text, more }) => (
            <li key={id} className={`log-line log-${level}`}>
              <span className="log-at">
                <When at={at} exact />
              </span>
              <span className="log-mark">{t(`areas.system.log.levels.${level}`)}</span>
              <span className="log-text">
                {text} <code className="quiet">{more}</code>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
