import type { FastifyInstance } from 'fastify';
import { calls } from '#models/api.ts';
import { type AccessChange, type AccessEffect, type EffectKind } from '#models/access-effect.ts';
import { may } from '#models/permissions.ts';
import { type DoorEffect, effectOf } from '#server/access/effect.ts';
import type { Principal, Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { HttpError } from '#server/http-error.ts';
import { serve } from '#server/serve.ts';
import { classesOf, type Counted, peopleOf } from './people.ts';
import { planChange, type Planned } from './plans.ts';

interface Found {
  planned: Planned;
  classes: readonly Counted[];
  effects: readonly DoorEffect[];
}

/** Whoever asks what a change would do may make it. @throws HttpError `forbidden` */
function requireVerb(principal: Principal, { area, id, draft }: AccessChange): void {
  const verb = draft === null ? 'delete' : id === null ? 'create' : 'edit';
  if (!may(principal, verb, area)) throw new HttpError('forbidden');
}

async function findEffect(db: Db, principal: Principal, change: AccessChange, at: Date): Promise<Found> {
  requireVerb(principal, change);
  const planned = await planChange(db, principal, change);
  const classes = await classesOf(db, principal, planned);
  const doors = planned.doors.map(({ door }) => door);
  return { planned, classes, effects: effectOf(planned.before, planned.after, doors, classes, at.getTime()) };
}

/** The classes that meet a kind of change, at one door or at any. */
const classesWith = ({ effects, classes }: Found, kind: EffectKind, device: string | null): Counted[] => {
  const places = new Set(
    effects
      .filter(({ deviceId }) => device === null || deviceId === device)
      .flatMap((effect) => effect.classes.filter((one) => one.kind === kind).map(({ at }) => at)),
  );
  return classes.filter((_, at) => places.has(at));
};
const countOf = (classes: readonly Counted[]): number => classes.reduce((sum, { people }) => sum + people, 0);

const partOf = (found: Found, kind: EffectKind): AccessEffect[EffectKind] => ({
  people: countOf(classesWith(found, kind, null)),
  doors: found.planned.doors.flatMap(({ door: { id }, name }) => {
    const people = countOf(classesWith(found, kind, id));
    return people > 0 ? [{ device: { id, name }, people }] : [];
  }),
});

/** What a change of an access rule or a schedule would do; one read transaction, so that all figures are of one moment. */
export function serveAccessEffect(app: FastifyInstance, services: Services): void {
  const { db, now } = services;
  serve(app, services, calls.accessEffect, ({ principal, body }) =>
    db.transaction(async (tx) => {
      const found = await findEffect(tx, principal, body, now());
      return { opens: partOf(found, 'opens'), closes: partOf(found, 'closes'), hours: partOf(found, 'hours') };
    }),
  );
  serve(app, services, calls.accessEffectPeople, ({ principal, body: { change, kind, device, page } }) =>
    db.transaction(async (tx) => {
      const found = await findEffect(tx, principal, change, now());
      const met = classesWith(found, kind, device);
      const people = await peopleOf(tx, principal, found.planned, { keys: met.map(({ key }) => key), page });
      return { people, total: countOf(met) };
    }),
  );
}
