import { encode } from 'uqr';

/** The quiet zone around a code, in modules (ISO 18004). */
const border = 4;
const svg = 'http://www.w3.org/2000/svg';

/** A QR code for a reader at the door. */
export function codePicture(text: string, label: string): SVGElement {
  const { data, size } = encode(text, { ecc: 'M', border });
  const picture = document.createElementNS(svg, 'svg');
  for (const [key, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label, 'shape-rendering': 'crispEdges' }))
    picture.setAttribute(key, value);
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join(''));
  picture.append(path);
  return picture;
}
