import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allLicensed } from '#models/licence-info.ts';
import { initialGroupLicence } from '#models/licences.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { accessRuleDevices, accessRuleGroups, accessRules, groups, identifiers } from '#server/db/schema/index.ts';
import { isFull } from '#tests/support/extent.ts';
import { connectPanel, type DeviceServer, openDeviceServer, type Panel, type SavedDevice, until } from './devices-support.ts';
import { codeOf, dataOf, makePerson, type Person } from './estate.ts';
import { makePostgres } from './postgres.ts';
import { freePort } from './process.ts';

const postgres = makePostgres(await freePort());
afterAll(() => postgres?.remove());
/** One process works through its transactions one by one; only a database beside it shows who is not kept apart. */
const places: { place: string; url: string }[] = [
  { place: 'the embedded database', url: '' },
  ...(postgres ? [{ place: 'PostgreSQL', url: postgres.url }] : []),
];

type Asked = Parameters<typeof codeOf>[0];
/** Asks until there is an answer: who finds no free connection is told to come again, and does. */
async function insist<Answer extends Asked>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (codeOf(answer) !== 'unavailable') return answer;
    await pause(100);
  }
}
/** How many were let in, and why the others were refused. */
const outcomeOf = (answers: readonly Asked[]): [number, Set<string | number>] => {
  const refused = answers.filter(({ statusCode }) => statusCode !== 200);
  return [answers.length - refused.length, new Set(refused.map(codeOf))];
};

const rounds = isFull ? 100 : 2;
const many = 50;

describe.each(places)('the last one in $place (C7)', ({ url }) => {
  let world: DeviceServer;
  let doors: SavedDevice[];
  let panels: Panel[];
  let admin: Person;
  let rule: string;

  beforeAll(async () => {
    vi.stubEnv('TEST_DATABASE_URL', url);
    world = await openDeviceServer();
    vi.unstubAllEnvs();
    const { estate, server } = world;
    const { db } = server.services;
    doors = [await world.add({ domainId: estate.groups.north }), await world.add({ domainId: estate.groups.north })];
    panels = [];
    for (const { login } of doors) panels.push(await connectPanel(`mqtt://127.0.0.1:${world.port}`, login));
    for (const { id } of doors)
      await until(
        () => world.device(id),
        ({ online }) => online === true,
      );
    const [made] = await db.insert(accessRules).values({ projectId: estate.here, name: 'Front', isShareable: true }).returning();
    rule = made?.id ?? '';
    await db.insert(accessRuleDevices).values(doors.map(({ id }) => ({ ruleId: rule, deviceId: id })));
    await db.insert(accessRuleGroups).values({ ruleId: rule, groupId: estate.groups.north });
    admin = await makePerson(server, estate, { permissions: permissionCodes, in: [estate.groups.north] });
  });
  afterAll(async () => {
    for (const panel of panels) await panel.leave();
    await world.close();
  });

  it(`pass of a guest opens one of two doors, of ${many} presses at once, ${rounds} times`, { timeout: 600_000, retry: 0 }, async () => {
    const { server } = world;
    for (let round = 0; round < rounds; round += 1) {
      const body = { name: `Guest ${round}`, selectedAccessRules: [rule], restrictPeriod: false, restrictPassCount: true, passLimit: 1 };
      const id = dataOf<string>(await admin.client.put('/identifiers/guests', body));
      const { url: page } = dataOf<{ url: string }>(await admin.client.get(`/identifiers/guests/${id}`));
      const press = (at: number) => server.as(null).post(`${page}/open`, { device: doors[at % 2]?.id });
      const answers = await Promise.all(Array.from({ length: many }, (_, at) => insist(() => press(at))));
      expect(outcomeOf(answers)).toEqual([1, new Set(['guest_passes_used'])]);
      const [stored] = await server.services.db.select().from(identifiers).where(eq(identifiers.id, id));
      expect(stored?.passesCount).toBe(1);
    }
  });

  it(`seat for a mobile key goes to one of ${many} who issue at once, ${rounds} times`, { timeout: 600_000, retry: 0 }, async () => {
    const { server, estate } = world;
    const { db } = server.services;
    const holder = await makePerson(server, estate, { in: [estate.groups.n1] });
    for (let round = 1; round <= rounds; round += 1) {
      const licence = { ...initialGroupLicence, info: { ...allLicensed, ukey2: { is_enabled: true, license_count: round } } };
      await db.update(groups).set({ licence }).where(eq(groups.id, estate.groups.north));
      const issue = (at: number) => admin.client.put('/identifiers/ukey2', { name: `Phone ${round} ${at}`, owner: holder.id });
      const answers = await Promise.all(Array.from({ length: many }, (_, at) => insist(() => issue(at))));
      expect(outcomeOf(answers)).toEqual([1, new Set(['ukey2_over_group'])]);
      expect(await db.$count(identifiers, eq(identifiers.type, 'ukey2'))).toBe(round);
    }
  });
});
