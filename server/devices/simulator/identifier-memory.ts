import { z } from 'zod';
import type { DenialReason, IdentifierType } from '#models/device-events.ts';

const knownIdentifier = z.object({
  id: z.uuid(),
  type: z.string(),
  value: z.string(),
  is_active: z.boolean(),
  is_revoked: z.boolean(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  passes: z.number().nullable(),
});
type KnownIdentifier = z.infer<typeof knownIdentifier>;

/** Why an identifier does not open at this moment (ISO 8601); null when it does. */
function refusalOf(known: KnownIdentifier | undefined, now: string): DenialReason | null {
  if (!known) return 'unknown_identifier';
  if (known.is_revoked) return 'revoked';
  if (!known.is_active) return 'blocked';
  if (known.from !== null && now < known.from) return 'not_yet_valid';
  if (known.to !== null && now > known.to) return 'expired';
  return known.passes === 0 ? 'passes_used' : null;
}

/** The identifiers that a device of the demo was sent; it decides by them alone. */
export class IdentifierMemory {
  readonly #known: KnownIdentifier[];

  /** `sent`: what the server sent; nothing is remembered of what cannot be read. */
  constructor(sent: unknown) {
    const read = z.array(knownIdentifier).safeParse(sent);
    this.#known = read.success ? read.data : [];
  }

  get count(): number {
    return this.#known.length;
  }

  /** Somebody presents one: which it is, and why it does not open; a pass of one that does is used up. */
  present(type: IdentifierType, value: string, now: string): { id: string | null; reason: DenialReason | null } {
    const known = this.#known.find((one) => one.type === type && one.value === value);
    const reason = refusalOf(known, now);
    if (reason === null && known && known.passes !== null) known.passes -= 1;
    return { id: known?.id ?? null, reason };
  }
}
