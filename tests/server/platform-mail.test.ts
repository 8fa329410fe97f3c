import { createServer, type Server } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mails, oneTimeLinks, users } from '#server/db/schema/index.ts';
import { sendRegistrationLink } from '#server/modules/mail.ts';
import { sendMails } from '#server/post.ts';
import { freePort } from './process.ts';
import { openTestServer, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';

let server: TestServer;
let post: Server;
let received = '';
let refuse = true;

/** A mail server that first refuses, then takes. */
const listen = () =>
  createServer((socket) => {
    let inside = false;
    socket.write('220 mail\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (inside) {
        received += text;
        inside = !text.includes('\r\n.\r\n');
        if (!inside) socket.write('250 taken\r\n');
        return;
      }
      if (/^DATA/i.test(text)) inside = !refuse;
      socket.write(/^DATA/i.test(text) ? (refuse ? '451 later\r\n' : '354 go on\r\n') : /^QUIT/i.test(text) ? '221 bye\r\n' : '250 ok\r\n');
    });
    socket.on('error', () => undefined);
  });

beforeAll(async () => {
  const port = await freePort();
  server = await openTestServer({ seed: seedWorld, config: { mailUrl: `smtp://127.0.0.1:${port}`, publicUrl: 'https://door.example.org' } });
  post = listen().listen(port, '127.0.0.1');
});
afterAll(async () => {
  post.close();
  await server.close();
});

describe('a registration link', () => {
  it('is mailed in the person’s language, kept as a hash, and only the newest works', async () => {
    const { db } = server.services;
    const [boss] = await db.select().from(users).where(eq(users.login, 'boss'));
    if (!boss) throw new Error('nobody is there');
    const invited = { id: boss.id, projectId: boss.projectId, name: 'Boss\r\nBcc: all@example.org', email: 'boss@example.org', locale: 'ru' };
    await sendRegistrationLink(db, server.services, invited);
    await sendRegistrationLink(db, server.services, invited);
    const written = await db.select().from(mails);
    expect(written).toHaveLength(2);
    expect(written[1]?.subject).toBe('Ваша учётная запись Doorward');
    const token = /https:\/\/door\.example\.org\/registration\/([\w-]{43})/.exec(written[1]?.body ?? '')?.[1] ?? '';
    const links = await db.select().from(oneTimeLinks);
    expect(links).toHaveLength(1);
    expect(links[0]?.hash).not.toContain(token);
    expect(links[0]?.expiresAt.getTime()).toBe(server.services.now().getTime() + 7 * 24 * 3_600_000);
  });
});

describe('the post', () => {
  it('brings every mail once, also after a refusal', async () => {
    const unsent = async () => (await server.services.db.select().from(mails)).filter(({ sentAt }) => sentAt === null).length;
    const first = sendMails(server.services);
    await vi.waitFor(async () => expect(await unsent()).toBe(2), 5_000);
    first();
    refuse = false;
    const second = sendMails(server.services);
    await vi.waitFor(() => expect(received.match(/^Subject:/gm)).toHaveLength(2), 5_000);
    second();
    expect(await unsent()).toBe(0);
    expect(received).toContain('To: boss@example.org');
    expect(received).not.toMatch(/^Bcc:/m);
  });
});
