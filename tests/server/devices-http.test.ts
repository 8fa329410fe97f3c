import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { identifiers } from '#server/db/schema/index.ts';
import { askByHttp, infoByHttp } from '#server/devices/http-device.ts';
import { seal } from '#server/devices/secrets.ts';
import { queueTask } from '#server/devices/queue.ts';
import { inTime } from '#tests/support/in-time.ts';
import { type DeviceServer, openDeviceServer, until, untilPassed } from './devices-support.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
};
/** Something that answers by HTTP on this machine; where it is, and what it was sent. */
async function face(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const seen: { method: string; path: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push({ method: request.method ?? '', path: request.url ?? '', authorization: request.headers.authorization, body });
      answer(request, response, body);
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  return { seen, port: (server.address() as AddressInfo).port };
}
const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const done = (response: ServerResponse, body: string): void => json(response, { id: (JSON.parse(body) as { id: string }).id, ok: true });
const request = { id: 'r1', kind: 'restart', body: {} };
const demo = { demo: true };
const at = (port: number, login: string | null = 'admin', password: string | null = 'Inner-1') => ({ ip: '127.0.0.1', port, login, password });

describe('asking a device by HTTP', () => {
  it('answers what the device answers, and offers no credentials where none are asked for', async () => {
    const { port, seen } = await face((_request, response, body) => done(response, body));
    expect(await askByHttp(demo, at(port), request)).toEqual({ id: 'r1', ok: true });
    expect(seen).toEqual([{ method: 'POST', path: '/v0/request', authorization: undefined, body: JSON.stringify(request) }]);
  });

  it('signs in by basic where that is asked for', async () => {
    const right = `Basic ${Buffer.from('admin:Inner-1').toString('base64')}`;
    const { port, seen } = await face(({ headers }, response, body) =>
      headers.authorization === right ? done(response, body) : response.writeHead(401, { 'www-authenticate': 'Basic realm="door"' }).end(),
    );
    expect((await askByHttp(demo, at(port), request)).ok).toBe(true);
    expect(seen).toHaveLength(2);
    expect(await askByHttp(demo, at(port, 'admin', 'wrong'), request)).toEqual({ id: 'r1', ok: false, error: 'wrong_credentials' });
  });

  it('signs in by digest where that is asked for, without the password ever crossing', async () => {
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    const checks = (header: string): boolean => {
      const part = (name: string): string => new RegExp(`\\b${name}="?([^",]+)"?`).exec(header)?.[1] ?? '';
      const inner = md5('admin:door panel:Inner-1');
      const outer = md5('POST:/v0/request');
      return part('nonce') === 'n0nce' && part('response') === md5([inner, 'n0nce', part('nc'), part('cnonce'), part('qop'), outer].join(':'));
    };
    const { port, seen } = await face(({ headers }, response, body) =>
      checks(headers.authorization ?? '')
        ? done(response, body)
        : response.writeHead(401, { 'www-authenticate': 'Digest realm="door panel", nonce="n0nce", qop="auth", opaque="o"' }).end(),
    );
    expect((await askByHttp(demo, at(port), request)).ok).toBe(true);
    expect(seen.map(({ authorization }) => authorization ?? '').join(' ')).not.toContain('Inner-1');
  });

  it('follows no redirect: whoever it points at is never asked', async () => {
    const target = await face((_request, response, body) => done(response, body));
    const { port } = await face((_request, response) => response.writeHead(307, { location: `http://127.0.0.1:${target.port}/v0/request` }).end());
    await expect(askByHttp(demo, at(port), request)).rejects.toThrow('cannot be read');
    expect(target.seen).toEqual([]);
  });

  it.each([
    ['no JSON', (response: ServerResponse) => response.end('<html>')],
    ['another shape', (response: ServerResponse) => json(response, { fine: true })],
    ['the answer to another request', (response: ServerResponse) => json(response, { id: 'r2', ok: true })],
    ['an error of its own', (response: ServerResponse) => json(response, { id: 'r1', ok: true }, 500)],
    ['more than a quarter of a megabyte', (response: ServerResponse) => json(response, { id: 'r1', ok: true, error: 'x'.repeat(300_000) })],
    ['nothing, and hangs up', (response: ServerResponse) => void response.socket?.destroy()],
  ])('takes for no answer: %s', async (_what, answer: (response: ServerResponse) => unknown) => {
    const { port } = await face((_request, response) => void answer(response));
    await expect(askByHttp(demo, at(port), request)).rejects.toThrow(/cannot be read|too long|hang up|ECONNRESET/);
  });

  it('waits five seconds, however slowly the answer drips', async () => {
    const { port } = await face((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 200);
      response.once('close', () => clearInterval(drip));
    });
    const begun = performance.now();
    await expect(askByHttp(demo, at(port), request)).rejects.toThrow('did not answer in time');
    expect(performance.now() - begun).toBeGreaterThan(4_500);
    expect(performance.now() - begun).toBeLessThan(inTime(7_500));
  });

  it.each(['127.0.0.1', '0.0.0.0', '169.254.169.254', '224.0.0.1', '255.255.255.255'])(
    'outside the demo dials no %s, whatever a device says its address is',
    async (ip) => {
      const canary = await face((_request, response, body) => done(response, body));
      await expect(askByHttp({ demo: false }, { ...at(canary.port), ip }, request)).rejects.toThrow('not allowed');
      expect(canary.seen).toEqual([]);
    },
  );

  it('knows who is there, and takes anybody else for nobody', async () => {
    const info = { serial: 'AC1', type: 'access_controller', model: 'AC-4 QR', firmware: '4.2.1' };
    const one = await face((_request, response) => json(response, info));
    const stranger = await face((_request, response) => json(response, { serial: '../../etc', type: 'toaster' }));
    expect(await infoByHttp({ ip: '127.0.0.1', port: one.port })).toEqual(info);
    expect(await infoByHttp({ ip: '127.0.0.1', port: stranger.port })).toBeNull();
    expect(await infoByHttp({ ip: '127.0.0.1', port: 9 })).toBeNull();
  });

  it.each([
    ['busy elsewhere when it answers', 0],
    ['taking its time', 1_500],
  ])('knows who is there though one of the two is %s', async (_what, later) => {
    const info = { serial: 'AC1', type: 'access_controller', model: 'AC-4 QR', firmware: '4.2.1' };
    const { port } = await face((_request, response) => void setTimeout(() => json(response, info), later));
    const asked = infoByHttp({ ip: '127.0.0.1', port });
    const until = performance.now() + (later === 0 ? 1_500 : 0);
    while (performance.now() < until);
    expect(await asked).toEqual(info);
  });
});

describe('a device that is spoken to by HTTP', () => {
  let side: DeviceServer;
  beforeAll(async () => {
    side = await openDeviceServer({ config: { demo: true } });
  });
  afterAll(() => side.close());

  /** A device that has something to say now and then; how often it was asked to do what. */
  async function talker(serial: string) {
    const said: (string | object)[] = [];
    const { port, seen } = await face((asked, response, body) => {
      if (asked.url === '/v0/info') return json(response, { serial, type: 'access_controller', model: 'AC-4 QR', firmware: '5.0' });
      const { id, kind, body: wanted } = JSON.parse(body) as { id: string; kind: string; body: { after?: number } };
      if (kind !== 'words') return json(response, { id, ok: true });
      const words = said
        .slice(wanted.after ?? 0)
        .map((word) => (typeof word === 'string' ? { type: 'event', event: word, at: new Date().toISOString() } : word));
      return json(response, { id, ok: true, body: { words, last: said.length } });
    });
    const device = await side.add({
      login: serial,
      protocol: 'http',
      ipAddress: '127.0.0.1',
      port,
      deviceLogin: 'admin',
      devicePasswordCipher: seal(side.server.services, 'Inner-1'),
      passwordCipher: null,
    });
    const asked = () =>
      seen
        .filter(({ path }) => path === '/v0/request')
        .map(({ body }) => JSON.parse(body) as { id: string; kind: string; body: { granted?: boolean } });
    return { device, said, asked };
  }

  it('is seen when it is there, does its tasks, and is missed when it is gone', async () => {
    const { device, asked } = await talker('GYM1');
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online, firmware }) => online === true && firmware === '5.0',
      25_000,
    );
    const id = await side.server.services.db.transaction((tx) =>
      queueTask(tx, { projectId: device.projectId, deviceId: device.id, kind: 'apply_settings', createdBy: null }),
    );
    await until(
      () => side.tasks(device.id),
      ([task]) => task?.status === 'completed',
    );
    expect(
      asked()
        .filter(({ kind }) => kind === 'apply_settings')
        .map((one) => one.id),
    ).toEqual([id]);
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
    await untilPassed(
      side,
      () => side.device(device.id),
      ({ online }) => online === false,
      25_000,
    );
  });

  it('takes passes at the server: of two doors that want the last one, one gets it', async () => {
    const { db } = side.server.services;
    const [pass] = await db
      .insert(identifiers)
      .values({ projectId: side.estate.here, name: 'Parcel', type: 'qr', value: 'one-pass', passesRestrictActive: true, passesMaxCount: 1 })
      .returning();
    const doors = await Promise.all([talker('GYM3'), talker('GYM4')]);
    const questions = doors.map(({ said }) => {
      const ask = randomUUID();
      said.push({ type: 'pass', ask, identifier: pass?.id });
      return ask;
    });
    const answers = await untilPassed(
      side,
      () => Promise.resolve(doors.flatMap(({ asked }) => asked().filter(({ kind }) => kind === 'pass'))),
      (list) => list.length === 2,
      25_000,
    );
    expect(answers.map(({ id }) => id).toSorted()).toEqual(questions.toSorted());
    expect(answers.filter(({ body }) => body.granted)).toHaveLength(1);
    const [stored] = await db
      .select()
      .from(identifiers)
      .where(eq(identifiers.id, pass?.id ?? ''));
    expect(stored?.passesCount).toBe(1);
  });

  it('is heard out, each word once, over a restart and when it begins to count anew', async () => {
    const { device, said } = await talker('GYM2');
    const eventTypes = async () => (await side.events(device.id)).map(({ type }) => type);
    said.push('door_opened', 'door_closed');
    await untilPassed(side, eventTypes, (types) => types.length === 2, 25_000);
    await side.reopen();
    said.push('tampered');
    await untilPassed(side, eventTypes, (types) => types.length === 3, 25_000);
    said.splice(0);
    said.push('exit_button');
    await untilPassed(side, eventTypes, (types) => types.length === 4, 25_000);
    expect(await eventTypes()).toEqual(['door_opened', 'door_closed', 'tampered', 'exit_button']);
  });
});
