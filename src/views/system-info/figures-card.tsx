import type { SystemSample } from '#models/system-info.ts';
import { SparkLine } from '#src/components/spark-line.tsx';
import { useText } from '#src/components/text.ts';

const figures = ['memory', 'cpu', 'delay', 'requests', 'connections'] as const;

/** How the server fared in the last ten minutes. */
export function FiguresCard({ history }: { history: readonly SystemSample[] }) {
  const { t, locale } = useText();
  const last = history.at(-1);
  return (
    <section className="card system-card" aria-labelledby="system-figures">
      <header className="card-head">
        <h2 id="system-figures">{t('areas.system.figures_title')}</h2>
      </header>
      <div className="card-body system-figures">
        {figures.map((key) => {
          const value = last ? t(`areas.system.figures.${key}.value`, { value: last[key].toLocaleString(locale) }) : t('areas.system.soon');
          const name = t(`areas.system.figures.${key}.title`);
          return (
            <div key={key} className="system-figure">
              <span className="quiet small">{name}</span>
              <strong>{value}</strong>
              <SparkLine values={history.map((sample) => sample[key])} label={`${name}: ${value}`} />
            </div>
          );
        })}
      </div>
    </section>
  );
}
