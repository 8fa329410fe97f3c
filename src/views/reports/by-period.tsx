import { Suspense, useMemo } from 'react';
import { type LicencesByPeriod, type ReportPoint, type ReportStep } from '#models/licence-reports.ts';
import { countedFeatures, type CountedFeature } from '#models/seats.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useText } from '#src/components/text.ts';
import { useDayText } from './use-day-text.ts';

const LineChart = lazyPart(() => import('#src/components/prime/line-chart.tsx'));

const seatOf = ({ seats }: ReportPoint, feature: CountedFeature) => seats.find((seat) => seat.feature === feature);

/** How one feature was used: the figures as a line, what was available as another. */
function FeatureChart({ feature, points, step }: { feature: CountedFeature; points: readonly ReportPoint[]; step: ReportStep }) {
  const { t, locale } = useText();
  const { short, span } = useDayText();
  const name = t(`list.licences.counted.${feature}`);
  const used = useMemo(() => points.map((point) => seatOf(point, feature)?.used ?? 0), [points, feature]);
  const labels = useMemo(() => points.map(({ from }) => short(from)), [points, short]);
  const lines = useMemo(() => {
    const available = points.map((point) => seatOf(point, feature)?.available ?? null);
    return [
      { label: t('areas.reports.used'), values: used, uncertain: points.map(({ source }) => source === 'reckoned') },
      ...(available.some((value) => value !== null) ? [{ label: t('areas.reports.available'), values: available, kind: 'limit' as const }] : []),
    ];
  }, [points, feature, used, t]);
  const highest = Math.max(0, ...used);
  const best = points[used.indexOf(highest)];
  const label = best
    ? t('areas.reports.chart', {
        feature: name,
        most: highest.toLocaleString(locale),
        when: span(best),
        last: (used.at(-1) ?? 0).toLocaleString(locale),
      })
    : name;
  return (
    <figure className="report-chart">
      <figcaption>{name}</figcaption>
      <div className="report-canvas">
        <Suspense fallback={<div className="report-canvas" />}>
          <LineChart label={label} points={labels} lines={lines} unit={t('areas.reports.seats')} along={t(`areas.reports.along.${step}`)} />
        </Suspense>
      </div>
    </figure>
  );
}

function Line({ point }: { point: ReportPoint }) {
  const { t, locale } = useText();
  const { span } = useDayText();
  return (
    <tr data-source={point.source}>
      <th scope="row">{span(point)}</th>
      {countedFeatures.map((feature) => {
        const { used = 0, available = null } = seatOf(point, feature) ?? {};
        return (
          <td key={feature} className="report-figure" data-label={t(`list.licences.counted.${feature}`)}>
            {used.toLocaleString(locale)}
            {available !== null && <span className="quiet"> {t('areas.reports.of', { available: available.toLocaleString(locale) })}</span>}
          </td>
        );
      })}
      <td>{t(`areas.reports.sources.${point.source}`)}</td>
    </tr>
  );
}

/** Seats in use over a period: a picture of each feature, and every figure as a table, the newest first. */
export function ByPeriod({ report, step, busy }: { report: LicencesByPeriod; step: ReportStep; busy: boolean }) {
  const { t } = useText();
  const { points } = report;
  if (points.length === 0) return <EmptyState icon="pi-chart-bar" text={t('areas.reports.empty')} />;
  return (
    <div className="stack" aria-busy={busy}>
      <div className="report-charts">
        {countedFeatures.map((feature) => (
          <FeatureChart key={feature} feature={feature} points={points} step={step} />
        ))}
      </div>
      <ul className="report-key small">
        <li data-kind="counted">{t('areas.reports.key.counted')}</li>
        <li data-kind="reckoned">{t('areas.reports.key.reckoned')}</li>
        <li data-kind="limit">{t('areas.reports.available')}</li>
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys */}
      <div className="report-scroll report-long" tabIndex={0} role="region" aria-label={t('areas.reports.table')}>
        <table className="report-table">
          <thead>
            <tr>
              <th scope="col">{t(`areas.reports.along.${step}`)}</th>
              {countedFeatures.map((feature) => (
                <th key={feature} scope="col" className="report-figure">
                  {t(`list.licences.counted.${feature}`)}
                </th>
              ))}
              <th scope="col">{t('areas.reports.source')}</th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map((point) => (
              <Line key={point.from} point={point} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
