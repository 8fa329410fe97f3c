import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  alarmCalls,
  auditEvents,
  calls as callTable,
  deviceAlarms,
  devices,
  deviceTasks,
  notifications,
  projectSettings,
} from '#server/db/schema/index.ts';
import { forgetOldLogs } from '#server/settings/logs.ts';
import { buildEstate, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  boss = await makePerson(server, estate, { permissions: [], in: [estate.groups.town] });
});
afterAll(() => server.close());

it('every log is kept for as long as it says; what is still going on stays', async () => {
  const { db, now } = server.services;
  const at = (days: number): Date => new Date(now().getTime() - days * 86_400_000);
  const projectId = estate.here;
  const place = { projectId, deviceName: 'old gate' };
  const [device] = await db
    .insert(devices)
    .values(deviceRow({ projectId, domainId: estate.groups.s1, name: 'Old gate' }))
    .returning();
  const deviceId = device?.id ?? '';
  const [old, young] = [at(15), at(1)];
  const call = (createdAt: Date, over: boolean, parentId: string | null = null) => ({
    id: randomUUID(),
    projectId,
    parentId,
    callerNumber: '1',
    calleeNumber: '2',
    type: 'normal' as const,
    status: over ? ('destroyed' as const) : ('answered' as const),
    createdAt,
  });
  const first = call(old, true);
  const transferred = call(young, true, first.id);
  await db.insert(callTable).values([first, call(old, false)] as (typeof callTable.$inferInsert)[]);
  await db.insert(callTable).values([transferred] as (typeof callTable.$inferInsert)[]);
  const task = (createdAt: Date, status: 'completed' | 'queued' | 'error') => ({ projectId, deviceId, kind: 'reboot', status, createdAt }) as never;
  await db.insert(deviceTasks).values([task(old, 'completed'), task(old, 'queued'), task(old, 'error'), task(young, 'completed')]);
  const alarm = (state: 'processed' | 'enabled', sensor: string, enabledAt: Date) => ({ ...place, deviceId, state, sensor, enabledAt }) as never;
  await db.insert(deviceAlarms).values([alarm('processed', 'door', old), alarm('enabled', 'door', old), alarm('processed', 'fire', young)]);
  await db.insert(alarmCalls).values([
    { ...place, calledAt: old },
    { ...place, calledAt: young },
  ]);
  await db
    .insert(notifications)
    .values([
      { projectId, userId: boss.id, type: 'news', significance: 'info', createdAt: old } as never,
      { projectId, userId: boss.id, type: 'news', significance: 'info', createdAt: young } as never,
    ]);
  await db.insert(auditEvents).values([
    { projectId, area: 'users', action: 'update', createdAt: old },
    { projectId: estate.there, area: 'users', action: 'update', createdAt: old },
  ]);
  await db.insert(projectSettings).values({ projectId, block: 'general', value: { logs_life: { value: 2, unit: 'weeks' } } });
  await forgetOldLogs(server.services);
  const left = async (table: PgTable & { projectId: PgColumn }, moment: PgColumn): Promise<number[]> => {
    const rows = await db.select({ at: moment }).from(table).where(eq(table.projectId, projectId)).orderBy(moment);
    return rows.map((row) => Math.round((now().getTime() - (row.at as Date).getTime()) / 86_400_000)).filter((days) => days > 0);
  };
  expect(await left(callTable, callTable.createdAt)).toEqual([15, 1]);
  expect(await db.select({ parent: callTable.parentId }).from(callTable).where(eq(callTable.id, transferred.id))).toEqual([{ parent: null }]);
  expect(await left(deviceTasks, deviceTasks.createdAt)).toEqual([15, 15, 1]);
  expect(await left(deviceAlarms, deviceAlarms.enabledAt)).toEqual([15, 1]);
  expect(await left(alarmCalls, alarmCalls.calledAt)).toEqual([1]);
  expect(await left(notifications, notifications.createdAt)).toEqual([1]);
  expect((await left(auditEvents, auditEvents.createdAt)).filter((days) => days > 14)).toEqual([]);
  expect(
    await db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.projectId, estate.there), eq(auditEvents.createdAt, old))),
  ).toHaveLength(1);
});
