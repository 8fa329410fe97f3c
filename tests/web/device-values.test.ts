import { describe, expect, it } from 'vitest';
import { filledLines, readLines } from '#models/forms/floor-map.ts';
import { linesBetween, readPlace, roundStep, toPixels, toPlace, viewOf } from '#src/views/devices/grid.ts';
import { readPayload, remotePath } from '#src/views/devices/remote-payload.ts';
import { uuid } from '#tests/support/people.ts';

const id = uuid(60);

describe('the address of remote control', () => {
  it('names the device and nothing else, and is checked', () => {
    const payload = new URLSearchParams(remotePath(id).split('?')[1]).get('payload');
    expect(JSON.parse(atob((payload ?? '').replaceAll('-', '+').replaceAll('_', '/')))).toEqual({ device_id: id });
    expect(readPayload(payload)).toBe(id);
    for (const wrong of [null, '', '%%%', btoa('{}'), btoa('{"device_id":"x"}'), btoa(JSON.stringify({ device_id: id, password: 'x' }))])
      expect(readPayload(wrong)).toBeNull();
  });
});

describe('the grid', () => {
  const view = { middle: { latitude: 52.5, longitude: 13.4 }, metresPerPixel: 1 };
  it('goes from pixels to places and back', () => {
    const place = toPlace(view, { x: 120, y: -60 });
    const { x, y } = toPixels(view, place);
    expect([Math.round(x), Math.round(y)]).toEqual([120, -60]);
    expect(place.latitude).toBeGreaterThan(52.5);
    expect(toPlace({ ...view, metresPerPixel: 40_000 }, { x: 9_999, y: -9_999 })).toEqual({ latitude: 90, longitude: 180 });
  });
  it('draws round lines', () => {
    expect([roundStep(0.0003), roundStep(7), roundStep(30)]).toEqual([0.0005, 10, 50]);
    expect(linesBetween(13.4001, 13.4021, 0.001)).toEqual([13.401, 13.402]);
  });
  it('reads coordinates as people paste them', () => {
    expect(readPlace('52.5107, 13.4252')).toEqual({ latitude: 52.5107, longitude: 13.4252 });
    expect(readPlace('52,5107 13,4252')).toEqual({ latitude: 52.5107, longitude: 13.4252 });
    expect(['', '52', 'north, west', '99, 10', '10, 190'].map(readPlace)).toEqual([null, null, null, null, null]);
  });
  it('shows all there is', () => {
    expect(viewOf([], 700).metresPerPixel).toBe(40_000);
    const both = viewOf(
      [
        { latitude: 52.5, longitude: 13.4 },
        { latitude: 52.51, longitude: 13.42 },
      ],
      700,
    );
    expect(Math.abs(toPixels(both, { latitude: 52.51, longitude: 13.42 }).x)).toBeLessThan(350);
  });
});

describe('the floors of a lift', () => {
  it('are filled relay by relay and read as they are typed', () => {
    const lines = filledLines(3);
    expect(readLines(lines, 16).map.map(({ relay, floor }) => [relay, floor])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(
      readLines(
        lines.map((line) => ({ ...line, floor: 'ground' })),
        16,
      ).issues[0],
    ).toMatchObject({ path: [0, 'floor'] });
    expect(readLines(lines, 2).issues).toMatchObject([{ path: [2, 'relay'], rule: 'relays_out_of_range' }]);
  });
});
