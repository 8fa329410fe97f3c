import { createServer, type Server } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mails, oneTimeLinks, users } from '#server/db/schema/index.ts';
import { sendRegistrationLink, writeMail } from '#server/modules/mail.ts';
import { type Deliver, deliverByUrl, type OutgoingMail } from '#server/mail/transport.ts';
import { sendMails as sendThrough } from '#server/mailer.ts';
import { freePort } from './process.ts';
import { openTestServer, type TestServer } from './support.ts';
import { seedWorld } from './world.ts';
import { longestWait } from '#tests/support/in-time.ts';

/** The post, with one way out for every project. */
const sendMails = (services: TestServer['services'], deliver: Deliver) => sendThrough(services, () => Promise.resolve(deliver));

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

describe('the mailer', () => {
  const bySmtp = () => deliverByUrl(server.services.config, server.services.config.mailUrl ?? '');
  const unsent = async () => (await server.services.db.select().from(mails)).filter(({ sentAt }) => sentAt === null).length;

  it('brings every mail once, also after a refusal', async () => {
    const taken = vi.fn<Deliver>(bySmtp());
    const first = sendMails(server.services, taken);
    await vi.waitFor(() => expect(taken).toHaveBeenCalledTimes(2), longestWait);
    await first();
    expect(await unsent()).toBe(2);
    refuse = false;
    server.pass(11_000);
    const second = sendMails(server.services, bySmtp());
    await vi.waitFor(async () => expect(await unsent()).toBe(0), longestWait);
    await second();
    expect(received.match(/^Subject:/gm)).toHaveLength(2);
    expect(received).toContain('To: boss@example.org');
    expect(received).not.toMatch(/^Bcc:/m);
    expect(new Set(received.match(/^Message-ID: <[\da-f-]{36}@door\.example\.org>/gm)).size).toBe(2);
  });
});

describe('the mailer, when a server dies over a mail', () => {
  /** Mailboxes as people have them: a mail whose id is known already is the same mail. */
  const mailbox = () => {
    const deliveries: OutgoingMail[] = [];
    return { deliveries, take: (mail: OutgoingMail) => deliveries.push(mail), seen: () => new Set(deliveries.map(({ messageId }) => messageId)) };
  };
  /** Whoever waits for this waits for ever: as good as dead. */
  const never = () => new Promise<never>(() => undefined);
  const write = async (count: number) => {
    const { db, now } = server.services;
    await db.delete(mails);
    const [boss] = await db.select().from(users).where(eq(users.login, 'boss'));
    for (let at = 0; at < count; at += 1)
      await writeMail(
        db,
        { projectId: boss?.projectId ?? '', userId: boss?.id ?? '', recipient: `r${at}@example.org`, subject: `Mail ${at}`, body: 'x' },
        now(),
      );
  };
  const sent = async () => (await server.services.db.select().from(mails)).filter(({ sentAt }) => sentAt !== null).length;
  const leasePlus = 121_000;

  it.each([
    ['before it was sent', false, 1],
    ['after it was sent and before that was written down', true, 2],
  ])('%s: the mail is sent by the next one when the lease has run out, under the same id', async (_name, reaches, times) => {
    await write(1);
    const box = mailbox();
    const died = vi.fn<Deliver>((mail) => {
      if (reaches) box.take(mail);
      return never();
    });
    await sendMailsUntil(died, () => died.mock.calls.length === 1);
    expect(await sent()).toBe(0);
    const early = vi.fn<Deliver>(async (mail) => box.take(mail));
    server.pass(leasePlus - 10_000);
    await sendMailsUntil(early, () => true);
    expect(early).not.toHaveBeenCalled();
    server.pass(10_000);
    await sendMailsUntil(
      async (mail) => box.take(mail),
      async () => (await sent()) === 1,
    );
    expect(box.deliveries).toHaveLength(times);
    expect(box.seen().size).toBe(1);
    expect(new Set(box.deliveries.map(({ date }) => date.getTime())).size).toBe(1);
  });

  it('is shared by two servers on one database: each of 40 mails goes out once', async () => {
    await write(40);
    const box = mailbox();
    const by = [0, 0];
    const stop = [0, 1].map((one) =>
      sendMails(server.services, async (mail) => {
        by[one] = (by[one] ?? 0) + 1;
        await new Promise((done) => setImmediate(done));
        box.take(mail);
      }),
    );
    await vi.waitFor(async () => expect(await sent()).toBe(40), longestWait);
    await Promise.all(stop.map((end) => end()));
    expect(box.deliveries).toHaveLength(40);
    expect(box.seen().size).toBe(40);
    expect(by.every((count) => count > 0)).toBe(true);
  });

  it('ends although a mail server says nothing, and takes nothing new', async () => {
    await write(2);
    const silent = vi.fn<Deliver>(never);
    const end = sendMails(server.services, silent);
    await vi.waitFor(() => expect(silent).toHaveBeenCalledTimes(1), longestWait);
    await end();
    expect(silent).toHaveBeenCalledTimes(1);
    expect(await sent()).toBe(0);
  });

  /** One server's post, ended as soon as something holds. */
  async function sendMailsUntil(deliver: Deliver, holds: () => boolean | Promise<boolean>): Promise<void> {
    const end = sendMails(server.services, deliver);
    await vi.waitFor(async () => expect(await holds()).toBe(true), longestWait);
    await end();
  }
});
