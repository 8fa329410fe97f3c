import { Transformer } from '@napi-rs/image';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureLinkSeconds } from '#models/define-model.ts';
import { deviceEvents, devices, groups, users } from '#server/db/schema/index.ts';
import { storeFile, type FileKind } from '#server/files.ts';
import { buildEstate, clientOf, dataOf, deviceRow, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let reader: Person;
let event: string;
const names = new Set<string>();

beforeAll(async () => {
  server = await openTestServer({ config: { logLevel: 'trace' } });
  estate = await buildEstate(server.services);
  reader = await makePerson(server, estate, {
    permissions: ['can_view_users', 'can_view_descendant_devices', 'can_view_device_events', 'can_view_all_groups'],
    in: [estate.groups.north],
  });
  const { db } = server.services;
  const bytes = Buffer.from(await Transformer.fromRgbaPixels(Buffer.alloc(32 * 32 * 4, 90), 32, 32).png());
  const store = async (kind: FileKind): Promise<string> => {
    const id = await storeFile(server.services, { projectId: estate.here, kind, contentType: 'image/png', bytes });
    names.add(id);
    return id;
  };
  const place = { projectId: estate.here, domainId: estate.groups.north };
  const [device] = await db.insert(devices).values(deviceRow(place)).returning();
  const seen = { projectId: estate.here, deviceId: device?.id, deviceName: 'A panel', type: 'access_denied', priority: 'low' } as const;
  const at = server.services.now();
  const [row] = await db
    .insert(deviceEvents)
    .values({ ...seen, occurredAt: at, createdAt: at, imageFile: await store('event') })
    .returning();
  event = row?.id ?? '';
  await db
    .update(users)
    .set({ avatarFile: await store('avatar') })
    .where(eq(users.id, reader.id));
  await db
    .update(groups)
    .set({ logoFile: await store('logo') })
    .where(eq(groups.id, estate.groups.north));
});
afterAll(() => server.close());

/** The link that each kind of picture has in the answers to the reader. */
const links: Record<string, () => Promise<string>> = {
  'what a camera saw': async () => dataOf<{ image_url: string }>(await reader.client.get(`/device-events/${event}`)).image_url,
  'what a camera saw, in a list': async () => dataOf<{ image_url: string }[]>(await reader.client.get('/device-events'))[0]?.image_url ?? '',
  'a portrait': async () => dataOf<{ avatar_url: string }>(await reader.client.get(`/users/${reader.id}`)).avatar_url,
  'one’s own portrait': async () => dataOf<{ avatar_url: string }>(await reader.client.get('/profile')).avatar_url,
  'a logo': async () => dataOf<{ whitelabel: { logo: string } }>(await reader.client.get(`/groups/${estate.groups.north}`)).whitelabel.logo,
};
const open = (url: string) => server.app.inject(url);

describe.each(Object.entries(links))('%s', (name, linkOf) => {
  it('opens by its link, for the reader’s browser alone to keep', async () => {
    const answer = await open(await linkOf());
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
    const [, seconds] = /^private, max-age=(\d+), immutable$/.exec(String(answer.headers['cache-control'])) ?? [];
    const life = name.startsWith('what') ? pictureLinkSeconds.picture : pictureLinkSeconds.portrait;
    expect(Number(seconds)).toBeGreaterThanOrEqual(life);
    expect(Number(seconds)).toBeLessThanOrEqual(life * 1.25);
  });

  it('is refused without the signature, with a later end, with another’s signature, and once it has run out', async () => {
    const link = new URL(await linkOf(), 'http://here');
    const { pathname, searchParams } = link;
    const until = Number(searchParams.get('until'));
    const signature = searchParams.get('signature') ?? '';
    const other = [...names].find((id) => !pathname.endsWith(id));
    for (const url of [
      pathname,
      `${pathname}?until=${until}`,
      `${pathname}?until=${until + 60}&signature=${signature}`,
      `${pathname}?until=${until}&signature=${signature.slice(1)}`,
      `/api/v0/files/${other}?until=${until}&signature=${signature}`,
      `/api/v0/files/${crypto.randomUUID()}`,
    ])
      expect([url, (await open(url)).statusCode]).toEqual([url, 403]);
    server.pass(until * 1_000 - server.services.now().getTime() - 1_000);
    expect((await open(link.pathname + link.search)).statusCode).toBe(200);
    server.pass(2_000);
    expect((await open(link.pathname + link.search)).statusCode).toBe(403);
    // The session has run out as well.
    reader = { ...reader, client: await clientOf(server, reader.id) };
    expect((await open(await linkOf())).statusCode).toBe(200);
  });
});

it('no signature is in the log', async () => {
  const signatures = await Promise.all(
    Object.values(links).map(async (linkOf) => new URL(await linkOf(), 'http://here').searchParams.get('signature')),
  );
  for (const linkOf of Object.values(links)) await open(await linkOf());
  expect(server.logged()).toContain('/api/v0/files/:id');
  for (const signature of signatures) expect(server.logged()).not.toContain(signature);
});
