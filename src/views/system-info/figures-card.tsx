import { Suspense, useContext, useMemo } from 'react';
import type { SystemSample } from '#models/system-info.ts';
import { clockAt } from '#models/zone.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useText } from '#src/components/text.ts';
import { ClockworkContext } from '#src/components/when.tsx';

const LineChart = lazyPart(() => import('#src/components/prime/line-chart.tsx'));

const figures = ['memory', 'cpu', 'delay', 'requests', 'connections'] as const;

/** One figure as it is now and as it went. */
function Figure({ name, history }: { name: (typeof figures)[number]; history: readonly SystemSample[] }) {
  const { t, locale } = useText();
  const clockwork = useContext(ClockworkContext);
  const last = history.at(-1);
  const title = t(`areas.system.figures.${name}.title`);
  const value = last ? t(`areas.system.figures.${name}.value`, { value: last[name].toLocaleString(locale) }) : t('areas.system.soon');
  const points = useMemo(() => history.map(({ at }) => clockAt(clockwork, Date.parse(at)).format('HH:mm')), [history, clockwork]);
  const lines = useMemo(() => [{ label: title, values: history.map((sample) => sample[name]) }], [title, history, name]);
  return (
    <div className="system-figure">
      <span className="quiet small">{title}</span>
      <strong>{value}</strong>
      <div className="system-chart">
        <Suspense fallback={null}>
          <LineChart label={`${title}: ${value}`} points={points} lines={lines} unit={t(`areas.system.figures.${name}.unit`)} along="" />
        </Suspense>
      </div>
    </div>
  );
}

/** How the server fared in the last ten minutes. */
export function FiguresCard({ history }: { history: readonly SystemSample[] }) {
  const { t } = useText();
  return (
    <section className="card system-card" aria-labelledby="system-figures">
      <header className="card-head">
        <h2 id="system-figures">{t('areas.system.figures_title')}</h2>
      </header>
      <div className="card-body system-figures">
        {figures.map((name) => (
          <Figure key={name} name={name} history={history} />
        ))}
      </div>
    </section>
  );
}
