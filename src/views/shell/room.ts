import { type RefObject, useLayoutEffect, useRef } from 'react';

/** What lies beside or below makes room for a box: its height is known to the page as a property, such as `--banners`. */
export function useRoom<T extends HTMLElement = HTMLDivElement>(property: `--${string}`): RefObject<T | null> {
  const box = useRef<T>(null);
  useLayoutEffect(() => {
    const { current } = box;
    const page = document.documentElement.style;
    if (!current) return;
    const measure = (): void => page.setProperty(property, `${current.offsetHeight}px`);
    const watch = new ResizeObserver(measure);
    watch.observe(current);
    measure();
    return () => {
      watch.disconnect();
      page.removeProperty(property);
    };
  }, [property]);
  return box;
}
