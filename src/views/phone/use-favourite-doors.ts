import { useSyncExternalStore } from 'react';
import { useProfile } from '../profile-of.ts';
import { useServices } from '../system.ts';

/** The doors a person has marked in this browser, by the ids of their devices. */
export function useFavouriteDoors() {
  const { phoneDesk } = useServices();
  const { id } = useProfile();
  const { favourites = {} } = useSyncExternalStore(phoneDesk.follow, phoneDesk.get);
  const mine = favourites[id] ?? [];
  return {
    isFavourite: (device: string): boolean => mine.includes(device),
    flip: (device: string): void => {
      const next = mine.includes(device) ? mine.filter((one) => one !== device) : [...mine, device];
      phoneDesk.set({ ...phoneDesk.get(), favourites: { ...favourites, [id]: next } });
    },
  };
}
