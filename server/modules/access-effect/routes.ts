import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { type AccessChange, type AccessEffect, areaOfChange, type EffectKind, type EffectPlace } from '#models/access-effect.ts';
import { hasPermission, may } from '#models/permissions.ts';
import { effectOf, type PlaceEffect } from '#server/access/effect.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { classesOf, type Counted, peopleOf } from './people.ts';
import type { Planned } from './planned.ts';
import { planChange } from './plans.ts';

interface Found {
  planned: Planned;
  classes: readonly Counted[];
  effects: readonly PlaceEffect[];
}

/** Whoever asks what a change would do may make it. @throws HttpError `forbidden` */
function requireVerb(principal: Principal, change: AccessChange): void {
  const { area, id, draft } = change;
  const verb = draft === null ? 'delete' : id === null ? 'create' : 'edit';
  const gives = area !== 'user-roles' || hasPermission(principal, 'can_edit_users_role');
  if (!gives || !may(principal, verb, areaOfChange(change))) throw new HttpError('forbidden');
}

async function findEffect(db: Db, principal: Principal, change: AccessChange, at: Date): Promise<Found> {
  requireVerb(principal, change);
  const planned = await planChange(db, principal, change);
  const classes = await classesOf(db, principal, planned);
  return { planned, classes, effects: effectOf(planned.before, planned.after, planned.places, classes, at.getTime()) };
}

/** What people take for one place, however many controllers its lift has. */
const keyOf = ({ id, floor }: EffectPlace): string => `${id} ${floor ?? ''}`;

/** The classes that meet a kind of change, at one place or at any. */
function classesWith({ planned, effects, classes }: Found, kind: EffectKind, place: string | null): Counted[] {
  const near = new Set(planned.places.filter((one) => place === null || keyOf({ ...one.device, floor: one.floor }) === place).map(({ id }) => id));
  const met = effects.filter(({ placeId }) => near.has(placeId)).flatMap((effect) => effect.classes.filter((one) => one.kind === kind));
  const at = new Set(met.map((one) => one.at));
  return classes.filter((_, index) => at.has(index));
}
const countOf = (classes: readonly Counted[]): number => classes.reduce((sum, { people }) => sum + people, 0);

function partOf(found: Found, kind: EffectKind): AccessEffect[EffectKind] {
  const places = new Map(found.planned.places.map(({ device, floor }) => [keyOf({ ...device, floor }), { device, floor }]));
  return {
    people: countOf(classesWith(found, kind, null)),
    doors: [...places].flatMap(([key, { device, floor }]) => {
      const people = countOf(classesWith(found, kind, key));
      return people > 0 ? [{ device, floor, people }] : [];
    }),
  };
}

/** What a change of access would do; one read transaction, so that all figures are of one moment. */
export function serveAccessEffect(app: FastifyInstance, services: Services): void {
  const { db, now } = services;
  serve(app, services, calls.accessEffect, ({ principal, body }) =>
    db.transaction(async (tx) => {
      const found = await findEffect(tx, principal, body, now());
      return { opens: partOf(found, 'opens'), closes: partOf(found, 'closes'), hours: partOf(found, 'hours') };
    }),
  );
  serve(app, services, calls.accessEffectPeople, ({ principal, body: { change, kind, device, floor, page } }) =>
    db.transaction(async (tx) => {
      const found = await findEffect(tx, principal, change, now());
      const met = classesWith(found, kind, device === null ? null : keyOf({ id: device, floor }));
      const people = await peopleOf(tx, principal, found.planned, { keys: met.map(({ key }) => key), page });
      return { people, total: countOf(met) };
    }),
  );
}
