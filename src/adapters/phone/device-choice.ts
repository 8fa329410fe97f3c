import type { MediaDevicesCommand, MediaDevicesReport } from '#machines/phone/ports.ts';
import type { Media } from './media.ts';

/** Tells which devices there are and which are chosen, at the start and whenever that changes. */
export function openDeviceChoice(media: Pick<Media, 'list' | 'follow' | 'choose'>, report: (fact: MediaDevicesReport) => void) {
  let isOver = false;
  const reportDevices = async (): Promise<void> => {
    const list = await media.list();
    if (!isOver) report({ type: 'devices.listed', list });
  };
  const unfollow = media.follow(() => void reportDevices());
  void reportDevices();
  return {
    send: ({ kind, id }: MediaDevicesCommand): void => media.choose(kind, id),
    close: (): void => {
      isOver = true;
      unfollow();
    },
  };
}
