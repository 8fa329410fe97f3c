import type { Http } from '../http.ts';

/** Whose picture: the far side's, or one's own. */
export type PictureSide = 'remote' | 'local';

/** Pictures of calls, which never pass through a machine: a view names the call and the element in which it is to be seen. */
export interface Pictures {
  /** Shows a call's picture in an element for as long as it is there. @returns how to stop */
  attach: (speechId: string, side: PictureSide, element: HTMLVideoElement) => () => void;
  /** What the caller's camera shows at this moment, before answering too; null where nothing. */
  still: (speechId: string) => Promise<Blob | null>;
  /** For legs: there is a picture from now on, or no longer. */
  show: (speechId: string, side: PictureSide, stream: MediaStream | null) => void;
}

/** Opens the wall on which pictures are hung. */
export function openPictures(http: Pick<Http, 'send'>): Pictures {
  const streams = new Map<string, MediaStream>();
  const elements = new Map<string, Set<HTMLVideoElement>>();
  const hang = (element: HTMLVideoElement, stream: MediaStream | null): void => {
    if (element.srcObject === stream) return;
    element.srcObject = stream;
    // Muted pictures may always play; one that was taken off again meanwhile rejects, which is as it should be.
    if (stream) void element.play().catch(() => {});
  };
  return {
    attach(speechId, side, element) {
      const key = `${side}:${speechId}`;
      const here = elements.get(key) ?? new Set();
      elements.set(key, here.add(element));
      element.muted = true;
      hang(element, streams.get(key) ?? null);
      return () => {
        here.delete(element);
        if (here.size === 0) elements.delete(key);
        hang(element, null);
      };
    },
    async still(speechId) {
      try {
        const answer = await http.send({ method: 'GET', path: `/calls/${speechId}/picture` });
        const picture = await answer.blob();
        return picture.size > 0 ? picture : null;
      } catch {
        // Without it one sees nothing for a moment, and is told nothing: the next one is asked for anyway.
        return null;
      }
    },
    show(speechId, side, stream) {
      const key = `${side}:${speechId}`;
      if (stream) streams.set(key, stream);
      else streams.delete(key);
      for (const element of elements.get(key) ?? []) hang(element, stream);
    },
  };
}
