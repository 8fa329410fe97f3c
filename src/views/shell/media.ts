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

/** Whether the phone has the whole width of the window for itself: a sheet over the page, as phone.css lays it out. */
export const usePhoneIsSheet = (): boolean => useMedia('(max-width: 599px)');
