import type { Plan } from '#server/access/effect.ts';
import type { SeenPlace } from './places.ts';
import type { Links } from './reach.ts';

/** Rules and schedules, with what leads from the rules to people. */
export interface Side extends Plan {
  links: Links;
}
/** A change with all that its effect follows from: the places it touches, and both sides of it. */
export interface Planned {
  places: readonly SeenPlace[];
  before: Side;
  after: Side;
}
