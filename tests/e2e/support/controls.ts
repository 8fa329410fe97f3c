/** What a look at the controls of a page finds. */
interface Seen {
  names: string[];
  /** What would be hit instead of a control, where another thing lies over its middle or near one of its corners. */
  covered: string[];
}
/** Runs in the page: what the controls of calls, or those asked for, are called, and which of them a press would miss. */
export function lookAtControls(where = '.desk-calls .call :is(button, input)'): Seen {
  const seen: Seen = { names: [], covered: [] };
  for (const control of document.querySelectorAll<HTMLElement>(where)) {
    if (!control.checkVisibility()) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? '';
    seen.names.push(name);
    const { left, top, right, bottom } = control.getBoundingClientRect();
    const inset = 6;
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + inset, top + inset],
      [right - inset, top + inset],
      [left + inset, bottom - inset],
      [right - inset, bottom - inset],
    ] as const;
    for (const [x, y] of points) {
      const hit = document.elementFromPoint(x, y);
      if (hit && control.contains(hit)) continue;
      seen.covered.push(`${name} at ${Math.round(x)},${Math.round(y)}: ${hit ? `${hit.tagName}.${hit.className}` : 'nothing'}`);
    }
  }
  return seen;
}
