import { sql } from 'drizzle-orm';
import { constants } from '#models/constants.ts';
import { sipInitial } from '#models/sip-settings.ts';
import type { Services } from '#server/context.ts';
import type { Db } from '#server/db/database.ts';
import { type CalledGroup, doorOf, type Holder, monitorsOfGroup, numbersOfGroup } from './directory.ts';
import type { Ring, Stage } from './types.ts';

/** What finding a route needs of the services. */
export type Means = Pick<Services, 'db' | 'sipSettings'>;

/** Seconds a number rings that nothing stands behind. */
const ringSeconds = 60;

interface QueuedNumber extends Record<string, unknown> {
  position: number;
  delay: number;
  number: string | null;
  name: string | null;
  phone: string | null;
  door: string[] | null;
}
interface RuleRow extends Record<string, unknown> {
  is_immediately: boolean;
  timeout: number | null;
  redirect_if_error: boolean;
}

type Rung = Pick<Holder, 'number' | 'name' | 'door'>;
export const ringOf = ({ number, name, door }: Rung, as: Ring['as'] = 'callee'): Ring => ({ number, name, as, phone: false, door });
export const phoneOf = (number: string): Ring => ({ number, name: null, as: 'callee', phone: true, door: null });

/** What a group's forward rules say together: the most obliging of each. */
async function rulesOf(db: Db, groupId: string): Promise<{ immediately: boolean; seconds: number | null; afterError: boolean }> {
  const { rows } = await db.execute<RuleRow>(sql`select f.is_immediately, f.timeout, f.redirect_if_error from forward_rules f
    join group_forward_rules g on g.rule_id = f.id where g.group_id = ${groupId}`);
  const times = rows.flatMap(({ timeout }) => timeout ?? []);
  return {
    immediately: rows.some(({ is_immediately: now }) => now),
    seconds: times.length > 0 ? Math.min(...times) : null,
    afterError: rows.length === 0 || rows.some(({ redirect_if_error: on }) => on),
  };
}

/** The queues of a group's forward settings, one stage each; an empty one is left out. */
async function forwardStages(db: Db, groupId: string): Promise<Stage[]> {
  const { rows } =
    await db.execute<QueuedNumber>(sql`select q.position, q.delay, s.number, s.name, n.phone, ${doorOf(sql`s.device_id`)} as door from group_forward_queues q
    join group_forward_numbers n on n.queue_id = q.id left join sip_numbers s on s.id = n.number_id and s.is_active
    where q.group_id = ${groupId} order by q.position, n.position`);
  const { immediately, seconds, afterError } = await rulesOf(db, groupId);
  const positions = [...new Set(rows.map(({ position }) => position))];
  const stages = positions.map((at): Stage => {
    const numbers = rows.filter(({ position }) => position === at);
    const rings = numbers.flatMap(({ number, name, phone, door }) => (number ? ringOf({ number, name, door }) : phone ? phoneOf(phone) : []));
    return { rings, seconds: seconds ?? numbers[0]?.delay ?? constants.forwardTimeoutSeconds, goesOnAfterError: afterError };
  });
  const filled = stages.filter(({ rings }) => rings.length > 0);
  if (!immediately || filled.length < 2) return filled;
  const together = filled.reduce((sum, stage) => sum + stage.seconds, 0);
  return [{ rings: filled.flatMap(({ rings }) => rings), seconds: together, goesOnAfterError: afterError }];
}

/** The automatic forward rule of a project: the group's monitors first, as long as other rules ring. */
async function monitorStage({ db, sipSettings }: Means, projectId: string, groupId: string): Promise<Stage[]> {
  const { enabled, device_protocol: protocol } = (sipSettings?.of(projectId) ?? sipInitial).auto_forward;
  const rings = enabled ? (await monitorsOfGroup(db, groupId, protocol)).map((holder) => ringOf(holder)) : [];
  return rings.length > 0 ? [{ rings, seconds: constants.forwardTimeoutSeconds, goesOnAfterError: true }] : [];
}

/** Whom a call to a group rings: its forward queues, else (by the automatic rule) its monitors, and all its people at once. */
export async function stagesOfGroup(means: Means, projectId: string, group: CalledGroup): Promise<Stage[]> {
  const { db } = means;
  const forwarded = group.forwardEnabled ? await forwardStages(db, group.id) : [];
  if (forwarded.length > 0) return forwarded;
  const first = await monitorStage(means, projectId, group.id);
  const rings = (await numbersOfGroup(db, group.id)).map((holder) => ringOf(holder));
  return [...first, ...(rings.length > 0 ? [{ rings, seconds: ringSeconds, goesOnAfterError: true }] : [])];
}

/** Whom a call to a person's or device's number rings: the number, then one after the other what it forwards to. */
export async function stagesOfNumber(db: Db, holder: Holder): Promise<Stage[]> {
  const { rows } =
    holder.forwardMode === 'disabled'
      ? { rows: [] }
      : await db.execute<
          Pick<QueuedNumber, 'number' | 'name' | 'phone' | 'door'>
        >(sql`select s.number, s.name, f.phone, ${doorOf(sql`s.device_id`)} as door
          from sip_number_forwards f left join sip_numbers s on s.id = f.picked_id and s.is_active where f.number_id = ${holder.numberId} order by f.position`);
  const then = rows.flatMap(({ number, name, phone, door }): Stage[] => {
    if (number) return [{ rings: [ringOf({ number, name, door })], seconds: constants.forwardTimeoutSeconds, goesOnAfterError: true }];
    return phone ? [{ rings: [phoneOf(phone)], seconds: constants.unnamedForwardTimeoutSeconds, goesOnAfterError: true }] : [];
  });
  const seconds = then.length > 0 ? constants.forwardTimeoutSeconds : ringSeconds;
  return [{ rings: [ringOf(holder)], seconds, goesOnAfterError: true }, ...then];
}
