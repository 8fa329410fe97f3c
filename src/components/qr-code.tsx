import { encode } from 'uqr';
import './qr-code.css';

/** The quiet zone around a code, in modules (ISO 18004). */
const border = 4;

/** The dark modules of a code as one path, a square each. */
export function drawnCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border });
  return { size, path: data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('') };
}

/** A QR code for a camera. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = drawnCode(text);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
