import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Transformer } from '@napi-rs/image';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedAnnounce } from '#models/announce-calls.ts';
import type { Announce } from '#models/announces.ts';
import type { Conversation, Message } from '#models/conversation-calls.ts';
import { permissionCodes } from '#models/permission-catalogue.ts';
import { mostBodyPictures, mostMessagePictures, type TextPicture } from '#models/text-pictures.ts';
import { lengthOf } from '#models/time.ts';
import { runAnnounces } from '#server/announces/announcer.ts';
import { cleanBody } from '#server/announces/sanitise.ts';
import { announces, conversations, files, mails, textPictures, users } from '#server/db/schema/index.ts';
import { storedPath } from '#server/files.ts';
import { attachmentsOf } from '#server/mail/attachment.ts';
import { forgetUnusedPictures } from '#server/modules/text-pictures.ts';
import { roleOf } from './calls-support.ts';
import { buildEstate, codeOf, dataOf, type Estate, makePerson, type Person } from './estate.ts';
import { form } from './hostile-files.ts';
import { openTestServer, type TestServer } from './support.ts';

let server: TestServer;
let estate: Estate;
let boss: Person;
let manager: Person;
let resident: Person;
let neighbour: Person;
let bare: Person;

const db = () => server.services.db;
const png = (side = 32): Promise<Buffer> => Transformer.fromRgbaPixels(Buffer.alloc(side * side * 4, 80), side, side).png();
const send = (who: Person, bytes: Buffer, place = 'announces') => {
  const { body, headers } = form({}, bytes, 'file', 'image/png', 'image');
  return who.client.send('POST', `/${place}/pictures`, body, headers);
};
async function uploaded(who: Person, place = 'announces'): Promise<TextPicture> {
  const answer = await send(who, await png(), place);
  expect(answer.statusCode, answer.body).toBe(200);
  return dataOf<TextPicture>(answer);
}
const tag = ({ url }: TextPicture, alt = 'The lobby'): string => `<img src="${url.replaceAll('&', '&amp;')}" alt="${alt}" width="32" height="32">`;
const bodyOf = (...pictures: TextPicture[]) => `<p>See the lobby</p>${pictures.map((one) => tag(one)).join('')}`;
const announce = (who: Person, body: string) =>
  who.client.put('/announces', { title: 'Lobby', body, send_via: ['email'], domains: [estate.groups.north] });
const rowOf = async (id: string): Promise<Announce> => dataOf<Announce>(await manager.client.get(`/announces/${id}`));
const issuesOf = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues.map(({ path, rule }) => `${path.join('.')} ${rule}`);
/** What an image tag gets that is given the address. */
const shows = async (html: string): Promise<number[]> =>
  Promise.all(
    [...html.matchAll(/src="\/api\/v0([^"]+)"/g)].map(async ([, path = '']) => (await server.as(null).get(path.replaceAll('&amp;', '&'))).statusCode),
  );
const stored = async (id: string): Promise<boolean> =>
  (await db().$count(files, eq(files.id, id))) === 1 && existsSync(storedPath(server.services, id));
/** What the hourly tidying does, so many hours from now. */
const tidy = (hours: number) =>
  forgetUnusedPictures({ ...server.services, now: () => new Date(server.services.now().getTime() + lengthOf(hours, 'hour')) });

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
  const { town, north, n1, s1 } = estate.groups;
  boss = await makePerson(server, estate, { permissions: permissionCodes, in: [town], name: 'Boss' });
  manager = await makePerson(server, estate, { permissions: roleOf('propertyManager'), in: [north], name: 'Irina' });
  resident = await makePerson(server, estate, { permissions: roleOf('resident'), in: [n1], name: 'Boris' });
  neighbour = await makePerson(server, estate, { permissions: roleOf('resident'), in: [s1], name: 'Clara' });
  bare = await makePerson(server, estate, { permissions: [], in: [n1], name: 'Dora' });
  await db().update(users).set({ email: 'boris@example.org' }).where(eq(users.id, resident.id));
});
afterAll(() => server.close());

describe('uploading a picture for a text', () => {
  it('draws it anew, tells its size, and answers a signed address', async () => {
    const picture = await uploaded(manager);
    expect([picture.width, picture.height]).toEqual([32, 32]);
    expect(await shows(tag(picture))).toEqual([200]);
    expect((await server.as(null).get(picture.url.replace('/api/v0', '').replace(/\?.*/, ''))).statusCode).toBe(403);
    const [row] = await db().select().from(files).where(eq(files.id, picture.id));
    expect([row?.kind, row?.contentType]).toEqual(['text', 'image/webp']);
  });

  it('makes a large one smaller', async () => {
    const answer = await send(manager, await png(2_400));
    expect(dataOf<TextPicture>(answer)).toMatchObject({ width: 1_600, height: 1_600 });
  });

  it('refuses what is no picture, and whoever may write no such text', async () => {
    for (const bytes of [Buffer.from('<svg onload="alert(1)"/>'), Buffer.from('GIF89a'.padEnd(64)), (await png()).subarray(0, 60)])
      expect(codeOf(await send(manager, bytes))).toBe('invalid_file');
    expect((await send(resident, await png())).statusCode).toBe(403);
    expect((await send(bare, await png(), 'conversations')).statusCode).toBe(403);
  });
});

describe('a picture in an announcement', () => {
  it('is stored unsigned, and read by a signed address: in the row, by its recipients, and by nobody else', async () => {
    const id = dataOf<string>(await announce(manager, bodyOf(await uploaded(manager))));
    const [row] = await db().select().from(announces).where(eq(announces.id, id));
    expect(row?.body).toMatch(/^<p>See the lobby<\/p><img src="\/api\/v0\/files\/[\da-f-]{36}" alt="The lobby" width="32" height="32" \/>$/);
    expect(await shows((await rowOf(id)).body)).toEqual([200]);
    await manager.client.post(`/announces/${id}/start`);
    await runAnnounces(server.services);
    const [mine] = dataOf<ReceivedAnnounce[]>(await resident.client.get('/announces/mine'));
    expect(await shows(mine?.body ?? '')).toEqual([200]);
    expect(dataOf<ReceivedAnnounce[]>(await neighbour.client.get('/announces/mine'))).toEqual([]);
  });

  it('goes along with the mail', async () => {
    const picture = await uploaded(manager);
    const id = dataOf<string>(await announce(manager, bodyOf(picture)));
    await manager.client.post(`/announces/${id}/start`);
    await runAnnounces(server.services);
    // Mail of the announcements before may come only now.
    const sent = await db().select().from(mails).where(eq(mails.recipient, 'boris@example.org'));
    const mail = sent.find(({ html }) => html?.includes(picture.id));
    expect(mail?.html).toContain(`src="cid:${picture.id}"`);
    expect(mail?.html).not.toContain('/api/v0/files/');
    const { attachments } = await attachmentsOf(server.services, { html: mail?.html ?? '', logoFile: null });
    expect(attachments?.map(({ cid, contentType, content }) => [cid, contentType, content.length > 20])).toEqual([[picture.id, 'image/webp', true]]);
  });

  it('is one’s own upload, or one in an announcement that one sees: no other stored file, and none from elsewhere', async () => {
    const foreign = await uploaded(boss);
    expect(issuesOf(await announce(manager, bodyOf(foreign)))).toEqual(['body picture_gone']);
    const avatar = randomUUID();
    await db().insert(files).values({ id: avatar, projectId: estate.here, kind: 'avatar', contentType: 'image/webp', bytes: 1 });
    const asked = { id: avatar, url: `/api/v0/files/${avatar}`, width: 1, height: 1 };
    expect(issuesOf(await announce(manager, bodyOf(asked)))).toEqual(['body picture_gone']);
    const other = dataOf<string>(await announce(boss, bodyOf(foreign)));
    // A copy of what one sees has its pictures too.
    expect((await announce(manager, (await rowOf(other)).body)).statusCode).toBe(200);
    for (const src of [
      'https://e.example/x.png',
      '//e.example/x.png',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      '/api/v0/me',
      `/api/v0/files/${avatar}/../x`,
    ])
      expect(cleanBody(`<p>a</p><img src="${src}" onerror="alert(1)" srcset="https://e.example/2.png">`), src).toBe('<p>a</p>');
  });

  it(`is one of ${mostBodyPictures} at most`, async () => {
    const picture = await uploaded(manager);
    const more = Array.from({ length: mostBodyPictures + 1 }, () => ({ ...picture, url: `/api/v0/files/${randomUUID()}` }));
    expect(issuesOf(await announce(manager, bodyOf(...more)))).toEqual(['body at_most']);
  });

  it('changes nothing when it only comes back signed anew', async () => {
    const id = dataOf<string>(await announce(manager, bodyOf(await uploaded(manager))));
    const { version, body } = await rowOf(id);
    const again = body.replace(/until=\d+/, 'until=1');
    expect((await manager.client.patch(`/announces/${id}`, { body: again, title: 'Lobby' })).statusCode).toBe(200);
    expect((await rowOf(id)).version).toBe(version);
  });

  it('is removed a day after no text has it', async () => {
    const [used, dropped, unused] = [await uploaded(manager), await uploaded(manager), await uploaded(manager)];
    const id = dataOf<string>(await announce(manager, bodyOf(used, dropped)));
    await tidy(1);
    expect([await stored(used.id), await stored(dropped.id), await stored(unused.id)]).toEqual([true, true, true]);
    await manager.client.patch(`/announces/${id}`, { body: bodyOf(used) });
    await tidy(25);
    expect([await stored(used.id), await stored(dropped.id), await stored(unused.id)]).toEqual([true, false, false]);
    await manager.client.send('DELETE', `/announces/${id}`);
    await tidy(25);
    expect(await stored(used.id)).toBe(false);
  });

  it('is refused where it was removed meanwhile', async () => {
    const picture = await uploaded(manager);
    await tidy(25);
    expect(issuesOf(await announce(manager, bodyOf(picture)))).toEqual(['body picture_gone']);
  });
});

describe('pictures in a message', () => {
  const begin = async (): Promise<string> =>
    dataOf<string>(
      await boss.client.put('/conversations', { title: 'Leak', recipients: [resident.id], text: 'What is it?', client_id: randomUUID() }),
    );
  const say = (who: Person, id: string, given: object) =>
    who.client.put(`/conversations/${id}/messages`, { client_id: randomUUID(), text: '', ...given });
  const read = async (who: Person, id: string) => dataOf<{ items: Message[] }>(await who.client.get(`/conversations/${id}/messages`)).items;

  it('come in their order, with or without words, and are seen by those who take part', async () => {
    const id = await begin();
    const [one, two] = [await uploaded(resident, 'conversations'), await uploaded(resident, 'conversations')];
    expect((await say(resident, id, { pictures: [two.id, one.id] })).statusCode).toBe(200);
    const message = (await read(boss, id)).at(-1);
    expect([message?.text, message?.pictures.map((picture) => picture.id)]).toEqual(['', [two.id, one.id]]);
    expect(await shows(message?.pictures.map((picture) => tag(picture)).join('') ?? '')).toEqual([200, 200]);
    const [listed] = dataOf<{ items: Conversation[] }>(await boss.client.get('/conversations')).items;
    expect(listed?.last).toEqual({ text: '', author_name: 'Boris', pictures: 2 });
    expect((await neighbour.client.get(`/conversations/${id}/messages`)).statusCode).toBe(404);
  });

  it('are one’s own, few, and each once; a message without words and pictures is none', async () => {
    const id = await begin();
    const foreign = await uploaded(boss, 'conversations');
    expect(issuesOf(await say(resident, id, { pictures: [foreign.id] }))).toEqual(['pictures picture_gone']);
    expect(issuesOf(await say(resident, id, { pictures: Array.from({ length: mostMessagePictures + 1 }, () => randomUUID()) }))).toEqual([
      'pictures at_most',
    ]);
    const own = await uploaded(resident, 'conversations');
    expect(issuesOf(await say(resident, id, { pictures: [own.id, own.id] }))).toEqual(['pictures unique']);
    expect(issuesOf(await say(resident, id, { text: '  ' }))).toEqual(['text required']);
    expect(await read(resident, id)).toHaveLength(1);
  });

  it('go with the first message too, with or without words', async () => {
    const [one, two] = [await uploaded(boss, 'conversations'), await uploaded(boss, 'conversations')];
    const first = (given: object) =>
      boss.client.put('/conversations', { title: 'Leak', recipients: [resident.id], text: '', client_id: randomUUID(), ...given });
    const clientId = randomUUID();
    const again = () => first({ pictures: [two.id, one.id], client_id: clientId });
    const [begun, repeated] = (await Promise.all([again(), again()])).map((answer) => dataOf<string>(answer));
    expect(repeated).toBe(begun);
    const [message] = await read(resident, begun ?? '');
    expect([message?.text, message?.pictures.map(({ id }) => id)]).toEqual(['', [two.id, one.id]]);
    const before = await db().$count(conversations);
    expect(issuesOf(await first({ pictures: [(await uploaded(resident, 'conversations')).id] }))).toEqual(['pictures picture_gone']);
    expect(issuesOf(await first({ text: ' ' }))).toEqual(['text required']);
    expect(await db().$count(conversations)).toBe(before);
  });

  it('are uploaded by whoever may only begin conversations', async () => {
    const { n1 } = estate.groups;
    const beginner = await makePerson(server, estate, {
      permissions: ['can_view_conversations', 'can_create_conversations'],
      in: [n1],
      name: 'Emil',
    });
    expect((await send(beginner, await png(), 'conversations')).statusCode).toBe(200);
  });

  it('are sent once, and removed when the conversation is', async () => {
    const id = await begin();
    const picture = await uploaded(resident, 'conversations');
    const given = { client_id: randomUUID(), pictures: [picture.id] };
    const answers = await Promise.all([say(resident, id, given), say(resident, id, given)]);
    expect(new Set(answers.map((answer) => dataOf<Message>(answer).id)).size).toBe(1);
    await tidy(25);
    expect(await stored(picture.id)).toBe(true);
    await db().delete(conversations);
    await tidy(25);
    expect([await stored(picture.id), await db().$count(textPictures, eq(textPictures.id, picture.id))]).toEqual([false, 0]);
  });
});
