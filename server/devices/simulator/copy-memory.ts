import type { DenialReason, IdentifierType } from '#models/device-events.ts';
import { sentChange, sentCopy } from '#server/access/copy-wire.ts';
import { judge } from '#server/access/decide.ts';
import { type DeviceCopy, withChange, worldOfCopy } from '#server/access/device-copy.ts';
import { type Passage, passageKey, type World, worldOf } from '#server/access/world.ts';
import { otherVersion } from '../protocol.ts';

/** What a device decides about something that is presented: which identifier it is, why it does not open, and by which rule and schedule (ids). */
export interface Presented {
  id: string | null;
  reason: DenialReason | null;
  rule: string | null;
  schedule: string | null;
  /** The floors that it frees, by their relays; none at doors. */
  floors: number[];
  /** It opens so many times, and each of them is asked for at the server. */
  isCounted: boolean;
}

/** Who went into and out of which area last: readers of one area tell each other. */
export type Passages = Map<string, Passage>;

const empty: World = worldOf({ credentials: [], people: [], parents: [], rules: [], schedules: [], doors: [], passages: [], licences: [] });

/** What a device of the demo was sent to decide by; it decides by that alone, with the evaluator that the server has too. */
export class CopyMemory {
  #copy: DeviceCopy | null;
  readonly #passages: Passages;
  #world: World = empty;

  /** `copy`: what it was sent before the server began; null for a device that was sent nothing. `passages`: shared with the other readers. */
  constructor(copy: DeviceCopy | null, passages: Passages = new Map()) {
    [this.#copy, this.#passages] = [copy, passages];
    this.#read();
  }

  get count(): number {
    return this.#copy?.credentials.length ?? 0;
  }
  /** The version of what it holds; null for nothing. */
  get version(): string | null {
    return this.#copy?.version ?? null;
  }

  /** Takes a whole copy, or a difference to what is held. @returns why it could not; null when it did */
  take(body: Readonly<Record<string, unknown>>): string | null {
    const [whole, change] = [sentCopy.safeParse(body['whole']), sentChange.safeParse(body['change'])];
    if (!whole.success && !change.success) return 'wrong_request';
    const taken = whole.success ? whole.data : this.#copy && change.data ? withChange(this.#copy, change.data) : null;
    if (!taken) return otherVersion;
    this.#copy = taken;
    this.#read();
    return null;
  }
  #read(): void {
    this.#world = this.#copy ? { ...worldOfCopy(this.#copy), passages: this.#passages } : empty;
  }

  /** Somebody presents one at a moment (ms since 1970). */
  present(type: IdentifierType, value: string, at: number): Presented {
    const deviceId = this.#copy?.door.id;
    if (deviceId === undefined) return { id: null, reason: 'unknown_identifier', rule: null, schedule: null, floors: [], isCounted: false };
    const { credentialId, reason, steps } = judge(this.#world, { credential: { type, value }, deviceId, at });
    const decisive = steps.find(({ outcome, name }) => outcome === 'failed' || name === 'schedule');
    const isCounted = credentialId !== null && this.#world.credentials.get(credentialId)?.passes !== null;
    const floors = reason === null ? this.#floorsFor({ type, value }, deviceId, at) : [];
    return { id: credentialId, reason, floors, rule: decisive?.rules[0] ?? null, schedule: decisive?.schedules[0] ?? null, isCounted };
  }

  /** Each floor that some rule names is asked for by itself. */
  #floorsFor(credential: { type: IdentifierType; value: string }, deviceId: string, at: number): number[] {
    const named = [...new Set(this.#copy?.rules.flatMap(({ floors }) => floors ?? []))].toSorted((one, other) => one - other);
    return named.filter((floor) => judge(this.#world, { credential, deviceId, at, floor }).isGranted);
  }

  /** Somebody went through here. */
  passed(credentialId: string, at: number): void {
    const set = this.#copy?.door.antiPassback;
    if (set) this.#passages.set(passageKey(credentialId, set.area), { credentialId, area: set.area, way: set.way, at });
  }

  /** One of the passes of an identifier is used up here. */
  countPass(id: string): void {
    const passes = this.#world.credentials.get(id)?.passes;
    if (passes) passes.count += 1;
  }
}
