/** So many of all, evenly over their order, so that every file has its share; another seed draws others. */
export function sampled<Item>(all: readonly Item[], size: number, seed: number): Item[] {
  if (size >= all.length) return [...all];
  const step = all.length / size;
  const first = ((seed * 0.618) % 1) * step;
  return Array.from({ length: size }, (_, at) => all[Math.floor(first + at * step)]).filter((item) => item !== undefined);
}
