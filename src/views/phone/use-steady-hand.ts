import { useEffect } from 'react';

const pressable = 'button, a, [role="button"]';

/**
 * A double press is meant for what it began on. Answering puts other buttons below the finger, of which one ends the call and one
 * switches the camera on: the second half of a press that lands there is dropped.
 */
export function useSteadyHand(): void {
  useEffect(() => {
    let begunOn: Element | null = null;
    const press = (event: MouseEvent): void => {
      const on = event.target instanceof Element ? event.target.closest(pressable) : null;
      if (event.detail <= 1) begunOn = on;
      else if (on !== null && on !== begunOn) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    document.addEventListener('click', press, true);
    return () => document.removeEventListener('click', press, true);
  }, []);
}
