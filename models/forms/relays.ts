import { z } from 'zod';
import { defineDraft } from '../define-form.ts';
import { relay, type Relay } from '../device-settings.ts';
import { toIssues } from '../issues.ts';

/** A relay as it is typed: the time is text until it is approved. */
export type RelayLine = Omit<Relay, 'switch_time'> & { switch_time: string };
/** The relays a device has been given, and what each relay of its model is called that has no name yet. */
interface Given {
  relays: readonly Relay[];
  names: readonly string[];
}

const asRelay = ({ switch_time, ...rest }: RelayLine): Record<string, unknown> => ({
  ...rest,
  switch_time: /^\s*\d+\s*$/.test(switch_time) ? Number(switch_time) : switch_time || null,
});

/** Every relay of a model: its name, how long it switches and how it rests. */
export const relaysForm = defineDraft({
  name: 'relays',
  start: ({ relays, names }: Given): { lines: readonly RelayLine[] } => ({
    lines: names.map((name, at) => {
      const known = relays.find(({ number }) => number === at + 1);
      return {
        number: at + 1,
        name: known?.name ?? name,
        switch_time: String(known?.switch_time ?? 3_000),
        is_inverted: known?.is_inverted ?? false,
      };
    }),
  }),
  read: ({ lines }) => {
    const read = z.array(relay).safeParse(lines.map(asRelay));
    return read.success ? { value: read.data } : { issues: toIssues(read.error) };
  },
});
