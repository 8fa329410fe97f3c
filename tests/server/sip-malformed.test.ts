import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMessage } from '#server/telephony/sip/message.ts';
import { isFull } from '#tests/support/extent.ts';
import { SipClient } from './sip-client.ts';
import { makeRandom, mutate } from './sip-mutations.ts';
import { message, torture } from './sip-messages.ts';
import { bridgeCalls, openTestSip, type TestSip } from './sip-support.ts';

let server: TestSip;
beforeAll(async () => {
  server = await openTestSip();
  bridgeCalls(server.sip);
});
afterAll(() => server.close());

describe('a message with', () => {
  it.each(torture.map(([name, text, fate], at) => [name, text.replace('z9hG4bKtorture', `z9hG4bKtorture${at}`), fate] as const))(
    '%s',
    async (_, text, fate) => {
      const client = await SipClient.open(server.options('1000'));
      client.send(text);
      // Whatever became of it, the next is answered, and answers come in order.
      client.send(
        client.compose('OPTIONS', 'sip:localhost', { callId: 'after', from: '<sip:1000@localhost>;tag=o', to: '<sip:localhost>', sequence: 1 }),
      );
      await client.response('OPTIONS', 'after');
      const answer = client.heard.find((one) => one.of('call-id') !== 'after' && one.status !== 100 && one.text !== '\r\n');
      expect(answer?.status ?? 'silence').toBe(fate);
      client.close();
    },
  );
});

it('whatever is long takes no time', () => {
  const slow: string[] = [];
  const names = [
    'Via',
    'From',
    'To',
    'Call-ID',
    'CSeq',
    'Max-Forwards',
    'Contact',
    'Route',
    'Record-Route',
    'Refer-To',
    'Reason',
    'Authorization',
    'Supported',
    'Require',
    'Session-Expires',
    'Content-Length',
    'Content-Type',
    'Subject',
  ];
  const pieces = [
    ' ',
    '\t',
    'a',
    'a ',
    ',',
    ' ,',
    ';',
    '; ',
    '"',
    String.raw`\"`,
    '<',
    '(',
    '%41',
    ':',
    '.',
    '-',
    '[',
    '=',
    'a=b;',
    'sip:a,',
    '\r\n ',
  ];
  for (const name of names)
    for (const piece of pieces)
      for (const frame of ['', '<sip:a@b>;tag=x', 'SIP/2.0/WS a;branch=z9hG4bKx', 'Digest a="b",']) {
        const text = message('OPTIONS sip:localhost SIP/2.0', { [name]: `${frame}${piece.repeat(7_900 / piece.length)}x` });
        const begun = process.cpuUsage();
        readMessage(text);
        const { user, system } = process.cpuUsage(begun);
        if (user + system > 25_000) slow.push(`${name}: ${JSON.stringify(piece)} after ${frame}`);
      }
  // The collector of garbage may strike anywhere, not everywhere.
  expect(slow.length, slow.join(', ')).toBeLessThan(5);
});

it('mutations of messages harm nobody', async () => {
  const count = isFull ? 20_000 : 2_000;
  const random = makeRandom(4475);
  const quiet = await server.client('1001');
  let hostile = await SipClient.open(server.options('1000'));
  const times: number[] = [];
  const answers: (number | null)[] = [];
  for (let at = 0; at < count; at += 1) {
    const text = mutate(torture[at % torture.length]?.[1] ?? '', random);
    const begun = process.cpuUsage();
    readMessage(text);
    const { user, system } = process.cpuUsage(begun);
    times.push((user + system) / 1_000);
    if (!hostile.isOpen) hostile = await SipClient.open(server.options('1000'));
    hostile.send(text);
    if (at % 90 === 89) {
      // A client that sends too fast is sent away; each of these is a fresh one.
      const callId = `fence${at}`;
      hostile.send(hostile.compose('OPTIONS', 'sip:localhost', { callId, from: '<sip:1000@localhost>;tag=o', to: '<sip:localhost>', sequence: 1 }));
      await Promise.race([hostile.response('OPTIONS', callId), hostile.closed()]);
      answers.push((await quiet.register()).status);
      hostile.kill();
      hostile = await SipClient.open(server.options('1000'));
    }
  }
  hostile.kill();
  times.sort((a, b) => a - b);
  // Of the processor, in ms: others may be at work on it. `npm run bench -- sip` holds it to 5 ms by the clock.
  expect(times[Math.floor(count * 0.99)]).toBeLessThan(25);
  expect(server.logged()).not.toContain('could not be worked on');
  expect(new Set(answers)).toEqual(new Set([200]));
}, 300_000);
