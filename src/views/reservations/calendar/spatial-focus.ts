type Way = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';
const isWay = (key: string): key is Way => key === 'ArrowUp' || key === 'ArrowDown' || key === 'ArrowLeft' || key === 'ArrowRight';

/** How far another box lies in a direction, what lies aside counting double; null where it does not lie there. */
function distance(from: DOMRect, to: DOMRect, way: Way): number | null {
  const upright = way === 'ArrowUp' || way === 'ArrowDown';
  const [ahead, aside] = upright
    ? [to.top - from.top, Math.max(0, to.left - from.right, from.left - to.right) || Math.abs(to.left - from.left) / 100]
    : [to.left - from.left, Math.max(0, to.top - from.bottom, from.top - to.bottom) * 8 + Math.abs(to.top - from.top)];
  const forward = way === 'ArrowUp' || way === 'ArrowLeft' ? -ahead : ahead;
  return forward < 1 ? null : forward + 2 * aside;
}

/**
 * Arrow keys lead to the next button in that direction on the screen. `among` are those that count. Answers whether the key was one of them.
 */
export function spatialFocus(key: string, root: HTMLElement, among: string): boolean {
  if (!isWay(key)) return false;
  const present = document.activeElement;
  if (!(present instanceof HTMLElement) || !root.contains(present)) return false;
  const from = present.getBoundingClientRect();
  let best: { element: HTMLElement; distance: number } | undefined;
  for (const element of root.querySelectorAll<HTMLElement>(among)) {
    if (element === present) continue;
    const far = distance(from, element.getBoundingClientRect(), key);
    if (far !== null && (!best || far < best.distance)) best = { element, distance: far };
  }
  best?.element.focus();
  return true;
}
