import { type KeyboardEvent, type PointerEvent, type WheelEvent, useRef } from 'react';
import { useText } from '#src/components/text.ts';
import { linesBetween, type Place, roundStep, toPixels, toPlace, type View } from './grid.ts';
import './devices.css';

/** Another device, for orientation. */
export interface Landmark {
  id: string;
  name: string;
  place: Place;
}
interface CoordinateGridProps {
  view: View;
  size: GridSize;
  onView: (view: View) => void;
  value: Place | null;
  onPick: (place: Place) => void;
  landmarks: readonly Landmark[];
}

/** How large the grid is drawn, in its own units: on a narrow screen it is narrow, so that its words stay readable. */
export interface GridSize {
  width: number;
  height: number;
}
const LEAST_GAP = 90;
const degrees = (value: number): string => `${Number(value.toFixed(6))}°`;

function Lines({ view, size: { width, height } }: Pick<CoordinateGridProps, 'view' | 'size'>) {
  const [northWest, southEast] = [toPlace(view, { x: -width / 2, y: -height / 2 }), toPlace(view, { x: width / 2, y: height / 2 })];
  const across = southEast.longitude - northWest.longitude;
  const down = northWest.latitude - southEast.latitude;
  const meridians = linesBetween(northWest.longitude, southEast.longitude, roundStep((across * LEAST_GAP) / width));
  const parallels = linesBetween(southEast.latitude, northWest.latitude, roundStep((down * LEAST_GAP) / height));
  return (
    <g className="grid-lines" aria-hidden="true">
      {meridians.map((longitude) => {
        const { x } = toPixels(view, { latitude: view.middle.latitude, longitude });
        return (
          <g key={`x${longitude}`}>
            <line x1={x} x2={x} y1={-height / 2} y2={height / 2} />
            <text x={x + 4} y={height / 2 - 6}>
              {degrees(longitude)}
            </text>
          </g>
        );
      })}
      {parallels.map((latitude) => {
        const { y } = toPixels(view, { latitude, longitude: view.middle.longitude });
        return (
          <g key={`y${latitude}`}>
            <line x1={-width / 2} x2={width / 2} y1={y} y2={y} />
            <text x={-width / 2 + 6} y={y - 4}>
              {degrees(latitude)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** How long so many metres are here. */
function ScaleBar({ view, size: { width, height } }: Pick<CoordinateGridProps, 'view' | 'size'>) {
  const { t } = useText();
  const metres = roundStep(view.metresPerPixel * 80);
  const length = metres / view.metresPerPixel;
  return (
    <g className="grid-scale" transform={`translate(${width / 2 - length - 16} ${height / 2 - 36})`}>
      <path d={`M0 0v6h${length}v-6`} />
      <text x={length / 2} y={-4} textAnchor="middle">
        {metres >= 1_000 ? t('areas.devices.map.km', { count: metres / 1_000 }) : t('areas.devices.map.m', { count: metres })}
      </text>
    </g>
  );
}

/**
 * Coordinates as a plane: the graticule, the places of other devices, and a pin that a press sets. It draws no streets, for map
 * pictures would have to come from elsewhere. Arrow keys move it, + and - zoom.
 */
export function CoordinateGrid({ view, size, onView, value, onPick, landmarks }: CoordinateGridProps) {
  const { t } = useText();
  const { width, height } = size;
  const drag = useRef<{ x: number; y: number; view: View; moved: boolean } | null>(null);
  const frame = useRef<SVGSVGElement>(null);
  const perPixel = (): number => width / (frame.current?.getBoundingClientRect().width || width);
  const zoomed = (factor: number) => onView({ ...view, metresPerPixel: Math.min(40_000, Math.max(0.05, view.metresPerPixel * factor)) });
  const moved = (from: View, x: number, y: number) => onView({ ...from, middle: toPlace(from, { x, y }) });

  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, view, moved: false };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const start = drag.current;
    if (!start) return;
    const [x, y] = [(start.x - clientX) * perPixel(), (start.y - clientY) * perPixel()];
    if (!start.moved && Math.hypot(x, y) < 5) return;
    start.moved = true;
    moved(start.view, x, y);
  };
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    const start = drag.current;
    drag.current = null;
    const box = frame.current?.getBoundingClientRect();
    if (!start || start.moved || !box) return;
    onPick(toPlace(view, { x: (clientX - box.left - box.width / 2) * perPixel(), y: (clientY - box.top - box.height / 2) * perPixel() }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
    const step = steps[event.key];
    if (step) moved(view, ...step);
    else if (event.key === '+' || event.key === '=') zoomed(0.5);
    else if (event.key === '-') zoomed(2);
    else if (event.key === 'Enter') onPick(view.middle);
    else return;
    event.preventDefault();
  };
  const pin = value && toPixels(view, value);
  return (
    <div className="grid-frame">
      <svg
        ref={frame}
        viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
        className="coordinate-grid"
        role="application"
        tabIndex={0}
        aria-label={t('areas.devices.map.label')}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onKeyDown={onKeyDown}
        onWheel={(event: WheelEvent) => zoomed(event.deltaY > 0 ? 1.25 : 0.8)}
      >
        <Lines view={view} size={size} />
        {landmarks.map(({ id, name, place }) => {
          const { x, y } = toPixels(view, place);
          return (
            <g key={id} className="grid-landmark" transform={`translate(${x} ${y})`}>
              <title>{name}</title>
              <circle r="5" />
            </g>
          );
        })}
        {pin && <path className="grid-pin" transform={`translate(${pin.x} ${pin.y})`} d="M0 0c-3-7-9-10-9-17a9 9 0 1 1 18 0c0 7-6 10-9 17z" />}
        <ScaleBar view={view} size={size} />
      </svg>
      <div className="grid-buttons">
        <button type="button" className="icon-button" aria-label={t('areas.devices.map.closer')} onClick={() => zoomed(0.5)}>
          <i className="pi pi-plus" aria-hidden="true" />
        </button>
        <button type="button" className="icon-button" aria-label={t('areas.devices.map.further')} onClick={() => zoomed(2)}>
          <i className="pi pi-minus" aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}
