import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { PartMissing } from './part-missing.tsx';

const pauses = [1_000, 2_000, 4_000, 8_000];

/** Whether the platform answers at all, however old this page is. */
const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Fetches a part of the console, and tries for as long as nobody answers. @throws what the fetch threw, where the server answers and the
 * part does not come: a newer version has replaced it, or the browser keeps to it that it once could not be had
 */
export async function fetchPart<T>(load: () => Promise<T>): Promise<T> {
  // The server may have come back between the two questions.
  let failures = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      return await load();
    } catch (error) {
      failures += (await answers()) ? 1 : 0;
      if (failures > 1) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauses[Math.min(tries, pauses.length - 1)]));
  }
}

/** A part of a page whose code comes when it is first drawn. Where it cannot be had, the page stands without it and says so, once reloading it helps. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy`: of what kind the properties are is the component's matter
export function lazyPart<T extends ComponentType<any>>(load: () => Promise<{ default: T }>): LazyExoticComponent<T> {
  const missing = (error: unknown): { default: T } => {
    console.warn('A part of the page could not be loaded:', error);
    return { default: PartMissing as unknown as T };
  };
  return lazy(() => fetchPart(load).catch(missing));
}
