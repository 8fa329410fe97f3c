import { z } from 'zod';
import { defineDraft } from '../define-form.ts';
import { floorEntry, type FloorEntry } from '../device-settings.ts';
import { floorIssues } from '../devices.ts';
import { type Issue, toIssues } from '../issues.ts';

/** A line of the floor map as it is typed: numbers are text until it is approved. */
export interface FloorLine {
  relay: string;
  floor: string;
  logic_address: string;
  is_public: boolean;
  is_panel_floor: boolean;
  apartments: string;
}

/** A floor as a form edits it. */
const asLine = (entry: FloorEntry): FloorLine => ({
  ...entry,
  relay: String(entry.relay),
  floor: String(entry.floor),
  apartments: entry.apartments ?? '',
});

const numberOf = (text: string): number | string | null => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : text.trim() || null);
const asEntry = (line: FloorLine): Record<string, unknown> => ({
  ...line,
  relay: numberOf(line.relay),
  floor: numberOf(line.floor),
  apartments: line.apartments.trim() || null,
});

/** The next relay that is free, for the next floor upwards. */
export function nextLine(lines: readonly FloorLine[]): FloorLine {
  const relays = lines.map(({ relay }) => Number(relay)).filter(Number.isInteger);
  const floors = lines.map(({ floor }) => Number(floor)).filter(Number.isInteger);
  const floor = floors.length > 0 ? Math.max(...floors) + 1 : 1;
  return {
    relay: String(relays.length > 0 ? Math.max(...relays) + 1 : 1),
    floor: String(floor),
    logic_address: String(floor),
    is_public: false,
    is_panel_floor: false,
    apartments: '',
  };
}

/** A line for each relay: the first floor at the first relay, and so on upwards. */
export const filledLines = (relays: number): FloorLine[] => {
  const lines: FloorLine[] = [];
  for (let at = 0; at < relays; at += 1) lines.push(nextLine(lines));
  return lines;
};

/** What the lines say, or what is wrong with them: each finding with the line and its field first in the path. */
export function readLines(lines: readonly FloorLine[], relays: number): { map: FloorEntry[]; issues: Issue[] } {
  const result = z.array(floorEntry).safeParse(lines.map(asEntry));
  if (!result.success) return { map: [], issues: toIssues(result.error) };
  const issues = floorIssues(result.data, relays).map((issue) => ({ ...issue, path: issue.path.slice(-2) }));
  return { map: result.data, issues };
}

/** Which relay of a lift controller gives which floor free, line by line. */
export const floorMapForm = defineDraft({
  name: 'floor-map',
  start: ({ map }: { map: readonly FloorEntry[]; relays: number }): { lines: readonly FloorLine[] } => ({ lines: map.map(asLine) }),
  read: ({ lines }, _base, { relays }) => {
    const { map, issues } = readLines(lines, relays);
    return issues.length > 0 ? { issues } : { value: map };
  },
});
