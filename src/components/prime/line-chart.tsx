import { Chart } from 'primereact/chart';
import { useEffect, useMemo, useState } from 'react';
import { Prime } from './prime.tsx';
import './line-chart.css';

/** One line of a chart; null where nothing is known. */
export interface ChartLine {
  label: string;
  values: readonly (number | null)[];
  /** `limit` is a quiet dashed line without a ground below it. */
  kind?: 'figure' | 'limit';
  /** Points that are less certain than others: the line to them is dotted. */
  uncertain?: readonly boolean[];
}
interface LineChartProps {
  /** What the picture shows, for those who do not see it; the figures stand beside it as text. */
  label: string;
  /** The words of the points, and what they and the figures are measured in. */
  points: readonly string[];
  lines: readonly ChartLine[];
  unit: string;
  /** What runs from left to right. */
  along: string;
}

type Colors = Record<'accent' | 'quiet' | 'line' | 'surface', string>;
const names = ['accent', 'quiet', 'line', 'surface'] as const;

/** A canvas knows no tokens: what they come to in the look of this moment. */
function readColors(): Colors {
  const probe = document.createElement('span');
  document.body.append(probe);
  const entries = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries) as Colors;
}

/** The colours of the look, read anew when it changes between light and dark. */
function useColors(): Colors {
  const [colors, setColors] = useState(readColors);
  useEffect(() => {
    const read = (): void => setColors(readColors());
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', read);
    return () => {
      observer.disconnect();
      dark.removeEventListener('change', read);
    };
  }, []);
  return colors;
}

const translucent = (color: string): string => color.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.12)');

const dataOf = ({ points, lines }: Pick<LineChartProps, 'points' | 'lines'>, { accent, quiet }: Colors) => ({
  labels: [...points],
  datasets: lines.map(({ label, values, kind = 'figure', uncertain }) => ({
    label,
    data: [...values],
    borderColor: kind === 'limit' ? quiet : accent,
    backgroundColor: translucent(accent),
    fill: kind === 'figure',
    borderWidth: kind === 'limit' ? 1.5 : 2,
    ...(kind === 'limit' && { borderDash: [6, 4] }),
    pointRadius: values.length === 1 ? 3 : 0,
    pointHitRadius: 12,
    stepped: kind === 'limit' ? ('before' as const) : (false as const),
    tension: 0,
    spanGaps: false,
    ...(uncertain && { segment: { borderDash: ({ p1DataIndex: to }: { p1DataIndex: number }) => (uncertain[to] ? [2, 3] : undefined) } }),
  })),
});

const optionsOf = ({ unit, along }: Pick<LineChartProps, 'unit' | 'along'>, { quiet, line }: Colors) => ({
  animation: false as const,
  responsive: true,
  maintainAspectRatio: false,
  interaction: { mode: 'index' as const, intersect: false },
  plugins: { legend: { display: false } },
  scales: {
    x: {
      title: { display: along !== '', text: along, color: quiet },
      // The first and every so manieth are named: without room to spare their words would touch.
      ticks: { color: quiet, maxTicksLimit: 6, maxRotation: 0, autoSkip: true, autoSkipPadding: 24 },
      grid: { display: false },
      border: { color: line },
    },
    y: {
      beginAtZero: true,
      title: { display: true, text: unit, color: quiet },
      ticks: { color: quiet, maxTicksLimit: 5, precision: 0 },
      grid: { color: line },
      border: { display: false },
    },
  },
});

/** Figures over time with axes and units, by PrimeReact's Chart. Fetched with chart.js when it is first drawn. */
export default function LineChart({ label, points, lines, unit, along }: LineChartProps) {
  const colors = useColors();
  // The control draws itself anew whenever it is given other objects.
  const [data, options] = useMemo(
    () => [dataOf({ points, lines }, colors), optionsOf({ unit, along }, colors)],
    [points, lines, unit, along, colors],
  );
  return (
    <Prime>
      <div className="line-chart">
        {/* The control's canvas is an image already; a second one around it would be read twice. */}
        <Chart type="line" data={data} options={options} pt={{ canvas: { 'aria-label': label } }} />
      </div>
    </Prime>
  );
}
