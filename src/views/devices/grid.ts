/** A place on earth, in degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}
/** What the grid shows: its middle, and how many metres a pixel stands for. */
export interface View {
  middle: Place;
  metresPerPixel: number;
}

const METRES_PER_DEGREE = 111_320;
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
/** Towards the poles degrees of longitude grow narrow; the grid of a neighbourhood is flat enough for one width. */
const narrowing = (latitude: number): number => Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
const clamped = (value: number, furthest: number): number => Math.max(-furthest, Math.min(furthest, value));

/** Where a place lies, in pixels right of and below the middle. */
export function toPixels({ middle, metresPerPixel }: View, { latitude, longitude }: Place): { x: number; y: number } {
  const scale = METRES_PER_DEGREE / metresPerPixel;
  return { x: (longitude - middle.longitude) * narrowing(middle.latitude) * scale, y: (middle.latitude - latitude) * scale };
}

/** The place so many pixels right of and below the middle, to a millionth of a degree (11 cm). */
export function toPlace({ middle, metresPerPixel }: View, { x, y }: { x: number; y: number }): Place {
  const scale = METRES_PER_DEGREE / metresPerPixel;
  return {
    latitude: rounded(clamped(middle.latitude - y / scale, 90)),
    longitude: rounded(clamped(middle.longitude + x / (narrowing(middle.latitude) * scale), 180)),
  };
}

/** The roundest step (1, 2 or 5 times a power of ten) not below `least`. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) ?? 10) * power;
}

/** Round values between two, a step apart. */
export function linesBetween(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, at) => rounded((first + at) * step));
}

/** A view that shows all these places with some room around, or one neighbourhood where there is only one. */
export function viewOf(places: readonly Place[], width: number): View {
  const [first] = places;
  if (!first) return { middle: { latitude: 0, longitude: 0 }, metresPerPixel: 40_000 };
  const of = (key: keyof Place) => places.map((place) => place[key]);
  const [north, south, east, west] = [
    Math.max(...of('latitude')),
    Math.min(...of('latitude')),
    Math.max(...of('longitude')),
    Math.min(...of('longitude')),
  ];
  const middle = { latitude: (north + south) / 2, longitude: (east + west) / 2 };
  const widest = Math.max((north - south) * 1.6, (east - west) * narrowing(middle.latitude)) * METRES_PER_DEGREE;
  return { middle, metresPerPixel: Math.max(0.25, (widest * 1.3) / width) };
}

/** Coordinates as people paste them: two numbers, parted by a comma, a semicolon or a space; a decimal comma is understood. */
export function readPlace(text: string): Place | null {
  const parts = /^\s*([+-]?\d+(?:[.,]\d+)?)\s*[,;\s]\s*([+-]?\d+(?:[.,]\d+)?)\s*$/.exec(text);
  if (!parts) return null;
  const [latitude, longitude] = [parts[1], parts[2]].map((part) => Number((part ?? '').replace(',', '.')));
  if (latitude === undefined || longitude === undefined || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return { latitude, longitude };
}
