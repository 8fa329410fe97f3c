/** A value with the keys of its objects in order, so that two of the same content read the same. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, ordered(part)]),
  );
}

/** Do two wire values say the same? Lists are taken as sets: no field of the contract gives their order a meaning. */
export function isSame(a: unknown, b: unknown): boolean {
  const text = (value: unknown): string =>
    JSON.stringify(Array.isArray(value) ? value.map((item) => JSON.stringify(ordered(item))).toSorted() : ordered(value ?? null));
  return text(a) === text(b);
}
