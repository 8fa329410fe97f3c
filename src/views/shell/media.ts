import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds just now. */
export function useMedia(query: string): boolean {
  const follow = useCallback(
    (heard: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', heard);
      return () => media.removeEventListener('change', heard);
    },
    [query],
  );
  return useSyncExternalStore(follow, () => window.matchMedia(query).matches);
}
