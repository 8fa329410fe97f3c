import { setImmediate as turn } from 'node:timers/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { inTime, longestWait } from '#tests/support/in-time.ts';
import { SipClient } from './sip-client.ts';
import { selfSigned } from '#tests/support/certificates.ts';
import { authorization } from './sip-digest.ts';
import { account, openTestSip, sipPassword, type TestSip, until } from './sip-support.ts';

let server: TestSip;
/** Believes who says where it comes from. */
let near: TestSip;
let later = 0;
const limited: [string, string][] = [];
beforeAll(async () => {
  const now = () => new Date(Date.now() + later);
  // On a slow machine a flood takes longer than a stranger may stay.
  server = await openTestSip({ now, limited: (...who) => limited.push(who), times: { stranger: 10 * longestWait } });
  const config = {
    host: '127.0.0.1',
    tls: null,
    publicUrl: 'http://localhost:8080',
    socketsPerIp: 1_000,
    trustedProxies: 'loopback',
    sipPort: 0,
    sipUdp: null,
  };
  near = await openTestSip({ now, config });
});
afterAll(() => Promise.all([server.close(), near.close()]));

const aor = (number: string) => `<sip:${number}@localhost>`;
/** A REGISTER by hand, with this Authorization or none. */
async function send(client: SipClient, sequence: number, proof?: string, more: { number?: string; uri?: string; contact?: string } = {}) {
  const { number = client.number, uri = 'sip:localhost' } = more;
  const callId = `${client.instance}-${sequence}`;
  const headers = { ...(proof !== undefined && { Authorization: proof }) };
  const text = client.compose('REGISTER', uri, { callId, from: `${aor(number)};tag=a1`, to: aor(number), sequence, headers });
  client.send(more.contact === undefined ? text : text.replace(/Contact: [^\r]+/, `Contact: ${more.contact}`));
  return client.response('REGISTER', callId);
}
const challenged = async (client: SipClient, number = client.number) => client.challengeOf(await send(client, 1, undefined, { number })) ?? '';
const proofFor = (challenge: string, number: string, more: Partial<Parameters<typeof authorization>[1]> = {}) =>
  authorization(challenge, { number, password: sipPassword, method: 'REGISTER', uri: 'sip:localhost', ...more });

describe('who may register', () => {
  it.each(['MD5', 'SHA-256'] as const)('somebody who knows the password, by %s', async (algorithm) => {
    const client = await server.client('1100', { algorithm });
    expect(server.sip.bindings('1100').map(({ instance }) => instance)).toContain(client.instance);
    expect((await client.register({ expires: 0 })).status).toBe(200);
    expect(server.sip.bindings('1100').map(({ instance }) => instance)).not.toContain(client.instance);
  });

  it('is asked in both algorithms, the one every client knows last', async () => {
    const client = await SipClient.open(server.options('1101'));
    const answer = await send(client, 1);
    expect(answer.headers.get('www-authenticate')?.map((one) => /algorithm=([^,]+)/.exec(one)?.[1])).toEqual(['SHA-256', 'MD5']);
    client.close();
  });

  it('answers a number that there is not as it answers one that there is', async () => {
    const [known, unknown] = [await SipClient.open(server.options('1102')), await SipClient.open(server.options('7777'))];
    const shape = (text: string, number: string) =>
      text.replaceAll(number, 'N').replaceAll(/nonce="[^"]+"|tag=[^\r;]+|branch=[^\r;]+|Via: [^\r]+|Call-ID: [^\r]+/g, '');
    const [first, second] = [await send(known, 1), await send(unknown, 1)];
    expect([first.status, shape(first.text, '1102')]).toEqual([401, shape(second.text, '7777')]);
    const wrong = { password: 'not it' };
    const [third, fourth] = [
      await send(known, 2, proofFor(known.challengeOf(first) ?? '', '1102', wrong)),
      await send(unknown, 2, proofFor(unknown.challengeOf(second) ?? '', '7777', wrong)),
    ];
    expect([third.status, shape(third.text, '1102')]).toEqual([403, shape(fourth.text, '7777')]);
    known.close();
    unknown.close();
  });

  it('lets in who proves, wherever others guess the number, or other numbers from the same address', async () => {
    const from = (address: string, number: string) => SipClient.open(near.options(number, { headers: { 'x-forwarded-for': address } }));
    const guesser = await from('203.0.113.1', '1103');
    const answers = [];
    for (let guess = 0; guess < 7; guess += 1) answers.push((await guesser.register({ password: `guess ${guess}` })).status);
    expect(answers).toEqual([403, 403, 403, 403, 403, 503, 503]);
    for (const number of Array.from({ length: 60 }, (_, at) => String(1_200 + at))) {
      const one = await from('203.0.113.1', number);
      await one.register({ password: 'guess' });
      one.close();
    }
    const phones = [await from('203.0.113.2', '1103'), await from('203.0.113.1', '1104')];
    for (const phone of phones) expect((await phone.register()).status).toBe(200);
    for (const one of [guesser, ...phones]) one.close();
  });

  it('lets in who proves from where that number is guessed, until there were 25 guesses in a minute', async () => {
    const guesser = await SipClient.open(server.options('1108'));
    const guess = async (times: number) => {
      for (let time = 0; time < times; time += 1) await guesser.register({ password: `guess ${time}` });
    };
    await guess(20);
    expect((await guesser.register()).status).toBe(200);
    await guess(25);
    const other = await SipClient.open(server.options('1108'));
    const closed = await other.register();
    expect([closed.status, Number(closed.of('retry-after')) > 50]).toEqual([503, true]);
    later += 61_000;
    expect((await other.register()).status).toBe(200);
    for (const one of [guesser, other]) one.close();
  });

  it('always looks at what comes over the connection a number is registered over', async () => {
    const phone = await server.client('1109');
    const guesser = await SipClient.open(server.options('1109'));
    for (let time = 0; time < 30; time += 1) await guesser.register({ password: `guess ${time}` });
    expect((await guesser.register()).status).toBe(503);
    expect((await phone.register()).status).toBe(200);
    guesser.close();
    later += 61_000;
  });

  it('does not count what was shown too late against a number', async () => {
    const client = await SipClient.open(server.options('1115'));
    const stale = proofFor(await challenged(client), '1115', { password: 'overheard' });
    later += 5 * 60_000 + 1;
    for (let time = 2; time < 42; time += 1) expect((await send(client, time, stale)).status).toBe(401);
    expect((await send(client, 50, proofFor(await challenged(client), '1115', { password: 'a guess' }))).status).toBe(403);
    expect((await client.register()).status).toBe(200);
    client.close();
  });

  it('is told once an hour who is guessed at', async () => {
    const before = limited.length;
    const guesser = await SipClient.open(server.options('1116'));
    for (let time = 0; time < 30; time += 1) await guesser.register({ password: `guess ${time}` });
    expect(limited.slice(before)).toEqual([['1116', '127.0.0.1']]);
    guesser.close();
    later += 61_000;
  });

  it('lets no more guesses through when they come at once', async () => {
    const guessers = await Promise.all(Array.from({ length: 30 }, () => SipClient.open(server.options('1105'))));
    const answers = await Promise.all(guessers.map((one, at) => one.register({ password: `guess ${at}` })));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(25);
    for (const one of guessers) one.close();
    later += 61_000;
  });

  it('refuses to register another', async () => {
    const client = await SipClient.open(server.options('1106'));
    const challenge = await challenged(client, '1107');
    expect((await send(client, 2, proofFor(challenge, '1106'), { number: '1107' })).status).toBe(403);
    expect(server.sip.bindings('1107')).toEqual([]);
    client.close();
  });
});

describe('what was shown once', () => {
  it('proves nothing again, nor elsewhere, nor later', async () => {
    const client = await SipClient.open(server.options('1110'));
    const challenge = await challenged(client);
    const proof = proofFor(challenge, '1110');
    expect((await send(client, 2, proof)).status).toBe(200);
    const replayed = await send(client, 3, proof);
    expect([replayed.status, replayed.of('www-authenticate')]).toEqual([401, expect.stringContaining('stale=true')]);
    expect((await send(client, 4, proofFor(challenge, '1110', { nc: '00000002' }))).status).toBe(200);
    expect((await send(client, 5, proofFor(challenge, '1110', { nc: '00000001', cnonce: 'other' }))).status).toBe(401);
    expect((await send(client, 6, proofFor(await challenged(client), '1110', { uri: 'sip:elsewhere' }))).status).toBe(403);
    expect((await send(client, 7, proofFor(challenge, '1110', { nc: '00000003', method: 'INVITE' }))).status).toBe(403);
    expect((await send(client, 8, proof.replace('realm="doorward"', 'realm="other"'))).status).toBe(403);
    later += 5 * 60_000 + 1;
    const old = await send(client, 9, proofFor(challenge, '1110', { nc: '00000004' }));
    expect([old.status, old.of('www-authenticate')]).toEqual([401, expect.stringContaining('stale=true')]);
    client.close();
  });

  it('cannot be made up', async () => {
    const client = await SipClient.open(server.options('1111'));
    const made = (await challenged(client)).replace(/nonce="[^"]+"/, `nonce="${Date.now().toString(36)}-aaaa-${'0'.repeat(32)}"`);
    expect((await send(client, 2, proofFor(made, '1111'))).status).toBe(401);
    client.close();
  });
});

describe('registrations', () => {
  it('stand beside each other, each ending by itself', async () => {
    const [one, two] = [await server.client('1120'), await server.client('1120')];
    expect(server.sip.bindings('1120')).toHaveLength(2);
    const again = await one.register();
    expect(again.headers.get('contact')).toHaveLength(2);
    await one.register({ expires: 0 });
    expect(server.sip.bindings('1120').map(({ instance }) => instance)).toEqual([two.instance]);
  });

  it('may not be shorter than a minute', async () => {
    const client = await SipClient.open(server.options('1121'));
    const answer = await client.register({ expires: 5 });
    expect([answer.status, answer.of('min-expires')]).toEqual([423, '60']);
    client.close();
  });

  it('all end by one star', async () => {
    const [one] = [await server.client('1122'), await server.client('1122')];
    const challenge = await challenged(one);
    const callId = 'star';
    const text = one
      .compose('REGISTER', 'sip:localhost', {
        callId,
        from: `${aor('1122')};tag=s`,
        to: aor('1122'),
        sequence: 9,
        headers: { Authorization: proofFor(challenge, '1122'), Expires: '0' },
      })
      .replace(/Contact: [^\r]+/, 'Contact: *');
    one.send(text);
    expect((await one.response('REGISTER', callId)).status).toBe(200);
    expect(server.sip.bindings('1122')).toEqual([]);
  });

  it('tell when a number becomes reachable, of each further phone, and when it no longer is', async () => {
    const changes: [string, boolean][] = [];
    const stop = server.sip.onReachable((...what) => changes.push(what));
    const one = await server.client('1123');
    const two = await server.client('1123');
    one.kill();
    two.kill();
    await until(() => changes.length === 3);
    expect(changes).toEqual([
      ['1123', true],
      ['1123', true],
      ['1123', false],
    ]);
    stop();
  });

  it('end when the password no longer holds', async () => {
    const client = await server.client('1124');
    server.accounts.set('1124', account('1124', ['another password']));
    const call = client.invite('1000');
    expect((await client.response('INVITE', call.callId)).status).toBe(407);
    const closed = client.closed();
    await server.sip.recheck();
    await closed;
    expect(server.sip.bindings('1124')).toEqual([]);
  });
});

describe('the socket', () => {
  it('is encrypted where the console is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-sip-'));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const made = await selfSigned('localhost');
    writeFileSync(cert, made.cert);
    writeFileSync(key, made.key);
    const secure = await openTestSip({
      config: {
        host: '127.0.0.1',
        tls: { cert, key },
        publicUrl: 'https://localhost:8080',
        socketsPerIp: 10,
        trustedProxies: false,
        sipPort: 0,
        sipUdp: null,
      },
    });
    const client = await secure.client('1139', { origin: 'https://localhost:8080' });
    expect(secure.sip.bindings('1139')).toMatchObject([{ kind: 'webrtc' }]);
    await expect(SipClient.open({ ...secure.options('1139'), url: secure.url.replace('wss:', 'ws:') })).rejects.toThrow(/hang up|ECONNRESET/);
    client.close();
    await secure.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['a page of another host', { origin: 'https://evil.example' }, '403'],
    ['a page from a file', { origin: 'null' }, '403'],
    ['another sub-protocol', { protocol: 'chat' }, '400'],
  ])('is refused to %s', async (_, more, status) => {
    await expect(SipClient.open(server.options('1130', more))).rejects.toThrow(status);
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:5173'])('is open to our page at %s', async (origin) => {
    const client = await SipClient.open(server.options('1130', { origin }));
    expect(client.isOpen).toBe(true);
    client.close();
  });

  it('is closed to who floods it, and nobody else waits', async () => {
    const [flooder, other] = [await SipClient.open(server.options('1131')), await server.client('1132')];
    const closed = flooder.closed();
    for (let at = 0; at < 2_000; at += 1)
      flooder.send(
        flooder.compose('REGISTER', 'sip:localhost', {
          callId: `flood ${at}`.replace(' ', ''),
          from: `${aor('1131')};tag=f`,
          to: aor('1131'),
          sequence: 1,
        }),
      );
    const begun = performance.now();
    expect((await other.register()).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(inTime(1_000));
    expect(await closed).toBe(1008);
  });

  it('is closed to who floods it over many sockets, and nobody who is known waits', async () => {
    const other = await server.client('1135');
    const flooders = await Promise.all(Array.from({ length: 80 }, () => SipClient.open(server.options('1136'))));
    const closed = Promise.any(flooders.map((one) => one.closed()));
    let isOver = false;
    void closed.then(() => (isOver = true));
    // What an address may send grows with time: a slow machine would never use it up.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => clock.mockRestore());
    for (let at = 0; at < 1_000 && !isOver; at += 1, await turn())
      for (const [index, one] of flooders.entries())
        one.send(
          one.compose('REGISTER', 'sip:localhost', { callId: `flood${index}-${at}`, from: `${aor('1136')};tag=f`, to: aor('1136'), sequence: 1 }),
        );
    expect(await closed).toBe(1008);
    expect((await other.register()).status).toBe(200);
    for (const one of flooders) one.close();
    // What strangers from this address may send grows again.
    await new Promise((resolve) => setTimeout(resolve, 500));
  });

  it('is closed to who sends too much at once', async () => {
    const client = await SipClient.open(server.options('1133'));
    const closed = client.closed();
    client.send('x'.repeat(70_000));
    expect(await closed).toBe(1009);
  });

  it('answers a sign of life', async () => {
    const client = await SipClient.open(server.options('1134'));
    client.send('\r\n\r\n');
    await client.next(({ text }) => text === '\r\n');
    client.send(client.compose('OPTIONS', 'sip:localhost', { callId: 'alive', from: `${aor('1134')};tag=o`, to: '<sip:localhost>', sequence: 1 }));
    const answer = await client.response('OPTIONS', 'alive');
    expect([answer.status, answer.of('allow')]).toEqual([200, expect.stringContaining('INVITE')]);
    client.close();
  });
});

it('a server that ends waits until nobody is looked up any more, and logs nothing of it', async () => {
  const asked: (() => void)[] = [];
  const isAsked = () => asked.length > 0;
  const ending = await openTestSip({ accountOf: () => new Promise((answer) => asked.push(() => answer(account('1150')))) });
  const client = await SipClient.open(ending.options('1150'));
  const registering = client.register().catch(() => null);
  const answerAll = () => asked.splice(0).forEach((answer) => answer());
  await until(isAsked);
  let isOver = false;
  const closing = ending.close().then(() => (isOver = true));
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(isOver).toBe(false);
  answerAll();
  await closing;
  client.close();
  await registering;
  expect(ending.logged()).toBe('');
});

it('no secret is in the log', () => {
  const logged = server.logged();
  expect(logged).not.toContain(sipPassword);
  expect(logged).not.toMatch(/nonce|response="/);
});
