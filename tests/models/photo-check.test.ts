import { describe, expect, it } from 'vitest';
import { contrast } from '#models/contrast.ts';
import { greyOf, judgedSize, photoIssue, sharpnessOf } from '#models/photo-check.ts';

describe('the sharpness of a grey picture', () => {
  /** One bright pixel on black, four wide and three high: two pixels have neighbours on all sides. */
  it.each([
    [0, 0],
    [1, 25],
    [2, 25],
    [3, 0],
    [4, 25],
    [5, 625],
    [6, 625],
    [7, 25],
    [8, 0],
    [9, 25],
    [10, 25],
    [11, 0],
  ])('with the pixel at %d is the variance of its edges, %d', (at, variance) => {
    const grey = new Uint8Array(12);
    grey[at] = 10;
    expect(sharpnessOf(grey, 4, 3)).toBe(variance);
  });
  it('is nought where all is the same, and where there is nothing to compare', () => {
    expect([sharpnessOf(new Uint8Array(25).fill(90), 5, 5), sharpnessOf(new Uint8Array([0, 255, 0, 255]), 2, 2)]).toEqual([0, 0]);
  });
});

it.each([
  [1, [7, 200], [7, 200]],
  [2, [7, 255, 200, 0], [7, 200]],
  [3, [255, 0, 0, 0, 255, 0, 0, 0, 255], [76, 150, 29]],
  [4, [255, 255, 255, 0, 10, 20, 30, 255], [255, 18]],
])('pixels of %d bytes become grey', (bytes, pixels, grey) => expect([...greyOf(new Uint8Array(pixels), bytes)]).toEqual(grey));

it.each([
  [512, 256, 256, 128],
  [256, 512, 128, 256],
  [100, 50, 100, 50],
  [10_000, 1, 256, 1],
  [1, 10_000, 1, 256],
])('a picture of %d × %d is judged as %d × %d', (width, height, wide, high) =>
  expect(judgedSize(width, height)).toEqual({ width: wide, height: high }),
);

it.each([
  [240, 240, 12, null],
  [239, 480, 99, { rule: 'photo_too_small', params: { side: 240, width: 239, height: 480 } }],
  [480, 239, 99, { rule: 'photo_too_small', params: { side: 240, width: 480, height: 239 } }],
  [240, 480, 99, null],
  [240, 481, 99, { rule: 'photo_shape', params: {} }],
  [481, 240, 99, { rule: 'photo_shape', params: {} }],
  [240, 240, 11.9, { rule: 'photo_blurred', params: {} }],
])('a photo of %d × %d with a sharpness of %d', (width, height, sharpness, issue) => expect(photoIssue({ width, height, sharpness })).toEqual(issue));

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#000000', 21],
  ['#777777', '#777777', 1],
  ['#ff0000', '#ffffff', 4],
  ['#00ff00', '#000000', 15.3],
  ['#0000ff', '#000000', 2.44],
  ['#767676', '#ffffff', 4.54],
  ['#0a0a0a', '#000000', 1.06],
  ['#zzzzzz', '#ffffff', 0],
  ['', '#ffffff', 0],
])('the contrast of %s and %s is %d', (one, other, wanted) => expect(contrast(one, other)).toBeCloseTo(wanted, 2));
