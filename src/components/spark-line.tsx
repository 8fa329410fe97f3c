import './spark-line.css';

const [width, height] = [120, 32];

/** How a figure went, drawn small: the words beside it say what it is now. */
export function SparkLine({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values) * 1.1;
  const points = values.map(
    (value, at) => `${((at / Math.max(1, values.length - 1)) * width).toFixed(1)},${(height - (value / most) * height).toFixed(1)}`,
  );
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {points.length > 1 && <polygon className="spark-area" points={`0,${height} ${points.join(' ')} ${width},${height}`} />}
      {points.length > 1 && <polyline className="spark-line" points={points.join(' ')} />}
    </svg>
  );
}
