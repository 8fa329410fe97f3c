import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { MediaFailure, type MediaPort } from '#server/telephony/media/port.ts';
import { readSdp } from '#server/telephony/media/sdp.ts';
import { silentMedia } from '#server/telephony/media/silent.ts';
import { Studio } from '#server/telephony/media/studio.ts';

const studio = new Studio({ all: ['127.0.0.1'], first: '127.0.0.1' });
const quiet = silentMedia();
afterAll(async () => {
  await Promise.all([studio.shut(), quiet.shut()]);
});

const print = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, '0').toUpperCase()).join(':');
const browser = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE voice picture',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 0 110 126',
  'c=IN IP4 0.0.0.0',
  'a=mid:voice',
  'a=sendrecv',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:63 red/48000/2',
  'a=rtpmap:110 telephone-event/48000',
  'a=rtpmap:126 telephone-event/8000',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  `a=fingerprint:sha-256 ${print}`,
  'a=setup:actpass',
  'a=rtcp-mux',
  'm=video 0 UDP/TLS/RTP/SAVPF 96 45',
  'c=IN IP4 0.0.0.0',
  'a=bundle-only',
  'a=mid:picture',
  'a=recvonly',
  'a=rtpmap:96 VP8/90000',
  'a=rtpmap:45 AV1/90000',
  'a=rtcp-mux',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=mid:data',
].join('\r\n');
let legs = 0;
const answered = async (offer: string, port: MediaPort = studio): Promise<string[]> => (await port.answer(`leg-${(legs += 1)}`, offer)).split('\r\n');

describe.each([
  ['media', studio],
  ['the null port', quiet],
] as const)('an offer answered by %s', (_name, port) => {
  it('takes voice and picture, passes formats on by the numbers of the offer, refuses what is neither', async () => {
    const lines = await answered(browser, port);
    expect(lines.filter((line) => line.startsWith('m='))).toEqual([
      expect.stringMatching(/^m=audio [1-9]\d* UDP\/TLS\/RTP\/SAVPF 111 0 110$/),
      expect.stringMatching(/^m=video [1-9]\d* UDP\/TLS\/RTP\/SAVPF 96$/),
      expect.stringMatching(/^m=application 0 /),
    ]);
    expect(lines).toContain('a=setup:passive');
    expect(lines.filter((line) => line.startsWith('a=mid:'))).toEqual(['a=mid:voice', 'a=mid:picture', 'a=mid:data']);
  });
  it.each([
    ['nothing', ''],
    ['no description', 'hello'],
    ['no sections', 'v=0\r\ns=-'],
    ['formats nobody here passes on', browser.replaceAll(/opus|PCMU/g, 'ilbc').replaceAll(' 0 110', ' 110')],
    ['a mid that leaves its line', browser.replace('a=mid:voice', 'a=mid:x y')],
    ['a port that is none', browser.replace('m=audio 9', 'm=audio 99999999')],
    ['too many sections', `v=0\r\n${'m=audio 9 RTP/AVP 0\r\n'.repeat(40)}`],
    ['too long', `v=0\r\n${'a=x\r\n'.repeat(20_000)}`],
  ])('is refused as incompatible: %s', async (_what, offer) => {
    const failure = await answered(offer, port).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MediaFailure);
    expect(failure).toMatchObject({ code: 'incompatible' });
  });
});

describe('an offer answered by media', () => {
  it('says what we do of what is asked: hold is heard as recvonly, and the other way round', async () => {
    const directionsOf = (lines: string[]) => lines.filter((line) => /^a=(?:sendrecv|sendonly|recvonly|inactive)$/.test(line));
    expect(directionsOf(await answered(browser))).toEqual(['a=sendrecv', 'a=sendonly', 'a=inactive']);
    expect(directionsOf(await answered(browser.replace('a=sendrecv', 'a=sendonly')))[0]).toBe('a=recvonly');
    expect(directionsOf(await answered(browser.replace('a=sendrecv', 'a=inactive')))[0]).toBe('a=inactive');
  });
  it('gives away no more than the addresses it can be reached at', async () => {
    const lines = await answered(browser);
    expect(lines.filter((line) => line.startsWith('a=candidate:'))).toEqual([
      expect.stringMatching(/ 127\.0\.0\.1 \d+ typ host$/),
      expect.stringMatching(/ 127\.0\.0\.1 \d+ typ host$/),
    ]);
    expect(lines.join('\n')).not.toMatch(/raddr|srflx|\.local/);
  });
  it('stays within the ports it was given and says the address that others use', async () => {
    expect(loadConfig({ DOORWARD_MEDIA_PORTS: '43210-43213', DOORWARD_MEDIA_ADDRESS: '198.51.100.7' }).media).toEqual({
      address: '198.51.100.7',
      ports: [43_210, 43_213],
    });
    for (const wrong of ['43213', '43213-43210', '80-90', '70000-70001', 'a-b'])
      expect(() => loadConfig({ DOORWARD_MEDIA_PORTS: wrong })).toThrow('DOORWARD_MEDIA_PORTS is not two ports above 1023');
    expect(() => loadConfig({ DOORWARD_MEDIA_ADDRESS: 'door.example' })).toThrow('DOORWARD_MEDIA_ADDRESS is not an IP address');
    const fenced = new Studio({ all: ['198.51.100.7', '127.0.0.1'], first: '198.51.100.7', ports: [43_210, 43_213] });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((leg) => fenced.answer(leg, browser)));
    const ports = answers.map((sdp) => Number(/m=audio (\d+)/.exec(sdp)?.[1]));
    expect(ports.toSorted((one, other) => one - other)).toEqual([43_210, 43_211, 43_212, 43_213]);
    expect(answers[0]).toMatch(/a=candidate:1 1 udp \d+ 198\.51\.100\.7 \d+ typ host/);
    await expect(fenced.answer('e', browser)).rejects.toMatchObject({ code: 'unavailable' });
    await fenced.close('a');
    await expect(fenced.answer('e', browser)).resolves.toMatch(/^v=0/);
    await fenced.shut();
  });
  it('needs credentials and a fingerprint it knows', async () => {
    for (const broken of [browser.replace('a=ice-pwd:abcdefghijklmnopqrstuvwx\r\n', ''), browser.replace('sha-256', 'md5')])
      await expect(answered(broken)).rejects.toMatchObject({ code: 'incompatible' });
  });
  it('lives through whatever a stranger writes: an answer or a refusal, nothing else', async () => {
    const lines = browser.split('\r\n');
    const mangled = fc
      .array(
        fc.tuple(
          fc.nat(lines.length - 1),
          fc.oneof(
            fc.string(),
            fc.constantFrom('', 'm=audio', 'a=rtpmap:111', 'c=', 'a=fingerprint:', 'a=candidate:1 1 udp 1 999.1.1.1 70000', 'm=video -1 RTP/AVP 96'),
          ),
        ),
        { maxLength: 6 },
      )
      .map((changes) => changes.reduce((all, [at, line]) => all.with(at, line), lines).join('\r\n'));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          mangled,
          fc.string({ maxLength: 300 }).map((text) => `v=0\r\n${text}`),
        ),
        async (offer) => {
          legs += 1;
          const said = await studio.answer(`leg-${legs}`, offer).catch((error: unknown) => error);
          await studio.close(`leg-${legs}`);
          expect(
            typeof said === 'string' ? readSdp(said).sections.length : said instanceof MediaFailure && said.code === 'incompatible',
          ).toBeTruthy();
        },
      ),
      { numRuns: 300 },
    );
  });
});
