import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notificationClasses } from '#models/constants.ts';
import type { AllNotificationSettings, Notification, NotificationType, UnreadNotifications } from '#models/notifications.ts';
import { removeExpired } from '#server/db/retention.ts';
import { auditEvents, notifications, users } from '#server/db/schema/index.ts';
import { notify } from '#server/modules/notifications/notify.ts';
import { buildEstate, type Estate, makePerson, type Person } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
const start = Date.parse('2026-03-02T08:00:00Z');

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
});
afterAll(() => server.close());

const person = (): Promise<Person> => makePerson(server, estate, { in: [estate.groups.town] });
const notifyThem = (to: readonly Person[], type: NotificationType, minutes = 0, data: Notification['data'] = {}) =>
  notify(
    server.services.db,
    { projectId: estate.here, type, data, at: new Date(start + minutes * 60_000) },
    to.map(({ id }) => id),
  );
const inbox = async ({ client }: Person) => (await client.get('/notifications/unread')).json<{ data: UnreadNotifications }>().data;
const page = async ({ client }: Person, query = '') =>
  (await client.get(`/notifications${query}`)).json<{ data: { items: Notification[]; total: number; unread: number } }>().data;

describe('what is unread', () => {
  it('is counted, with the five newest and the three newest important ones', async () => {
    const reader = await person();
    for (let minute = 0; minute < 7; minute += 1) await notifyThem([reader], 'announce_received', minute, { title: `News ${minute}` });
    for (let minute = 7; minute < 11; minute += 1) await notifyThem([reader], 'user_used_revoked_identifier', minute, { identifier: '1234' });
    const { unread, total, latest, important, important_unread } = await inbox(reader);
    expect([unread, total, important_unread, latest.length, important.length]).toEqual([11, 11, 4, 5, 3]);
    expect(latest.map(({ created_at }) => created_at)).toEqual(
      latest
        .map(({ created_at }) => created_at)
        .toSorted()
        .toReversed(),
    );
    expect(important[0]).toMatchObject({
      type: 'user_used_revoked_identifier',
      significance: 'important',
      color: 'bad',
      sound: 'warning',
      read_at: null,
    });
  });

  it('is one’s own alone', async () => {
    const [reader, other] = await Promise.all([person(), person()]);
    await notifyThem([reader], 'conversation_received');
    expect([(await inbox(reader)).unread, (await inbox(other)).unread]).toEqual([1, 0]);
    const [first] = (await page(reader)).items;
    await other.client.post('/notifications/read', { items: [first?.id] });
    expect((await inbox(reader)).unread).toBe(1);
  });

  it('looks as if it failed where it did', async () => {
    const reader = await person();
    await notifyThem([reader], 'device_broker_settings_sent', 0, { has_error: true, lines: ['no'] });
    await notifyThem([reader], 'device_broker_settings_sent', 1, { has_error: false });
    expect((await page(reader)).items.map(({ significance, color }) => [significance, color])).toEqual([
      ['normal', 'good'],
      ['important', 'bad'],
    ]);
  });
});

describe('pages', () => {
  it('are of twenty, by type, from an offset', async () => {
    const reader = await person();
    await server.services.db.insert(notifications).values(
      Array.from({ length: 45 }, (_, minute) => ({
        projectId: estate.here,
        userId: reader.id,
        type: minute % 3 === 0 ? ('alarm_enabled' as const) : minute % 3 === 1 ? ('alarm_processed' as const) : ('announce_received' as const),
        data: { title: String(minute) },
        significance: minute % 3 === 0 ? ('important' as const) : ('normal' as const),
        createdAt: new Date(start + minute * 60_000),
      })),
    );
    const first = await page(reader);
    expect([first.items.length, first.total, first.items[0]?.data.title]).toEqual([20, 45, '44']);
    expect((await page(reader, '?offset=40')).items.map(({ data }) => data.title)).toEqual(['4', '3', '2', '1', '0']);
    expect(
      await Promise.all(['alarm', 'important', 'announce_received', 'sip_reboot_started'].map((type) => page(reader, `?type=${type}&limit=5`))),
    ).toMatchObject([30, 15, 15, 0].map((total) => ({ total })));
  });

  it.each(['?type=nothing', '?limit=101', '?limit=-1', '?offset=x', '?offset=99999999', '?page=2', '?limit=1e2'])('refuse %s', async (query) => {
    const reader = await person();
    expect((await reader.client.get(`/notifications${query}`)).json()).toMatchObject({ error: { code: 'wrong_parameters' } });
  });
});

describe('marking as read', () => {
  it('takes some, all of a type, or all', async () => {
    const reader = await person();
    for (let minute = 0; minute < 6; minute += 1)
      await notifyThem([reader], minute < 3 ? 'user_used_revoked_identifier' : 'announce_received', minute);
    const [newest] = (await inbox(reader)).latest;
    await reader.client.post('/notifications/read', { items: [newest?.id] });
    expect((await inbox(reader)).unread).toBe(5);
    await reader.client.post('/notifications/read', { all: true, type: 'important' });
    expect(await inbox(reader)).toMatchObject({ unread: 2, important_unread: 0, important: [] });
    await reader.client.post('/notifications/read', { all: true });
    const after = await inbox(reader);
    expect([after.unread, after.latest.every(({ read_at }) => read_at !== null)]).toEqual([0, true]);
  });

  it.each([[{}], [{ items: [] }], [{ items: ['x'] }], [{ all: false }], [{ all: true, type: 'x' }]])('refuses %j', async (body) => {
    const reader = await person();
    expect((await reader.client.post('/notifications/read', body)).statusCode).toBe(422);
  });
});

describe('settings', () => {
  it('hold for each class and are honoured', async () => {
    const [quiet, loud] = await Promise.all([person(), person()]);
    const before = (await quiet.client.get('/notifications/settings')).json<{ data: AllNotificationSettings }>().data;
    expect(Object.keys(before.acs).toSorted()).toEqual([...notificationClasses].toSorted());
    expect(before.acs.announce_received).toEqual({ show: true, sound: true, popup: true, desktop: false });
    const chosen = {
      announce_received: { show: false, sound: false, popup: false, desktop: false },
      conversation_received: { show: true, sound: false, popup: false, desktop: true },
    };
    const saved = await quiet.client.post('/notifications/settings', { acs: chosen });
    expect(saved.json<{ data: AllNotificationSettings }>().data.acs).toMatchObject(chosen);
    expect(await notifyThem([quiet, loud], 'announce_received')).toBe(1);
    await notifyThem([quiet, loud], 'conversation_received', 1);
    expect((await page(quiet)).items).toMatchObject([{ type: 'conversation_received', sound: null, popup: false, desktop: true }]);
    expect((await page(loud)).items.map(({ type, sound }) => [type, sound])).toEqual([
      ['conversation_received', 'message'],
      ['announce_received', 'message'],
    ]);
    const profile = (await quiet.client.get('/profile')).json<{ data: { profile: { notification_settings: unknown } } }>().data;
    expect(profile.profile.notification_settings).toEqual(chosen);
    const trail = await server.services.db.select().from(auditEvents).where(eq(auditEvents.entityId, quiet.id));
    expect(trail.map(({ changes }) => Object.keys(changes))).toContainEqual(['profile.notification_settings']);
  });

  it('change only the classes that are named', async () => {
    const reader = await person();
    const off = { show: false, sound: false, popup: false, desktop: false };
    await reader.client.post('/notifications/settings', { acs: { sip_reboot_started: off } });
    const after = await reader.client.post('/notifications/settings', { acs: { sip_reboot_completed: off } });
    expect(after.json<{ data: AllNotificationSettings }>().data.acs).toMatchObject({ sip_reboot_started: off, sip_reboot_completed: off });
  });

  it.each([[{}], [{ acs: { nothing: { show: true, sound: true, popup: true, desktop: true } } }], [{ acs: { alarm_enabled: { show: 'yes' } } }]])(
    'refuse %j',
    async (body) => {
      const reader = await person();
      expect((await reader.client.post('/notifications/settings', body)).statusCode).toBe(422);
    },
  );
});

describe('telling', () => {
  it('takes ids or a query, and nobody of another project', async () => {
    const [here, there] = await Promise.all([person(), makePerson(server, estate, { in: [estate.groups.abroad], project: estate.there })]);
    expect(await notifyThem([here, there], 'sip_reboot_started')).toBe(1);
    const query = sql`select ${users.id} from ${users} where ${users.id} = ${here.id}`;
    expect(await notify(server.services.db, { projectId: estate.here, type: 'sip_reboot_completed', data: {}, at: new Date(start) }, query)).toBe(1);
    expect((await inbox(there)).total).toBe(0);
  });

  it('a hundred in a moment arrive, each once', async () => {
    const reader = await person();
    await Promise.all(Array.from({ length: 100 }, () => notifyThem([reader], 'user_used_identifier_on_device')));
    expect((await inbox(reader)).unread).toBe(100);
  });
});

describe('what has expired', () => {
  it('is removed: notifications after ninety days, and of each person all but the newest thousand', async () => {
    const [old, many] = await Promise.all([person(), person()]);
    const row = (userId: string, age: number) => ({
      projectId: estate.here,
      userId,
      type: 'announce_received' as const,
      data: { title: String(age) },
      significance: 'normal' as const,
      createdAt: new Date(server.services.now().getTime() - age),
    });
    const day = 86_400_000;
    await server.services.db
      .insert(notifications)
      .values([row(old.id, 89 * day), row(old.id, 91 * day), ...Array.from({ length: 1_010 }, (_, age) => row(many.id, age * 1_000))]);
    await removeExpired(server.services);
    expect((await page(old)).total).toBe(1);
    expect([(await page(many)).total, (await page(many)).items[0]?.data.title]).toEqual([1_000, '0']);
  });
});
