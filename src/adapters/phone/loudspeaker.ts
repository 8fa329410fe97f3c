import type { Media } from './media.ts';

/** What can be told which output to use; browsers without the word use the system's own. */
interface Output {
  setSinkId?: (id: string) => Promise<void>;
}
/** Sends something to an output; where that is gone or not allowed, it stays where it is. */
export const sendTo = (output: Output, id: string | null): void => void output.setSinkId?.(id ?? '').catch(() => {});

/** Where the far side of one call is heard. */
export interface Loudspeaker {
  play: (stream: MediaStream) => void;
  /** 0 to 1. */
  volume: (level: number) => void;
  close: () => void;
}

/** Opens the loudspeaker of a call at the chosen output; a browser that will not sound yet is asked again with the next touch of the page. */
export function openLoudspeaker(
  media: Media,
  make: () => HTMLAudioElement,
  page: Pick<Document, 'addEventListener' | 'removeEventListener'>,
): Loudspeaker {
  const element = make();
  element.autoplay = true;
  const start = (): void =>
    void element.play().then(
      () => page.removeEventListener('pointerdown', start, true),
      () => page.addEventListener('pointerdown', start, true),
    );
  const aim = (): void => sendTo(element, media.chosen().speaker);
  aim();
  const unfollow = media.follow(aim);
  return {
    play(stream) {
      element.srcObject = stream;
      start();
    },
    volume(level) {
      element.volume = Math.min(1, Math.max(0, level));
    },
    close() {
      unfollow();
      page.removeEventListener('pointerdown', start, true);
      element.pause();
      element.srcObject = null;
    },
  };
}
