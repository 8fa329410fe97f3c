import { useEffect } from 'react';

/** How long each of the two titles stands, in ms; a tab in the background blinks more slowly, which is well. */
const beat = 1_000;

/** The tab's title says in turn what rings and what it said before; afterwards all is as it was. */
export function useBlinkingTitle(words: string | null): void {
  useEffect(() => {
    if (!words) return;
    let before = document.title;
    const flip = (): void => {
      if (document.title === words) document.title = before;
      else {
        // Whoever opens another page while it rings gives it another title.
        before = document.title;
        document.title = words;
      }
    };
    flip();
    const timer = setInterval(flip, beat);
    return () => {
      clearInterval(timer);
      if (document.title === words) document.title = before;
    };
  }, [words]);
}
