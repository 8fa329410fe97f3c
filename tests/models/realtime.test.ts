import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areaNames } from '#models/areas.ts';
import { frameOf, isEvent, maxFrameBytes, readClientFrame, readServerFrame, readTopic, realtimeEvents, topics } from '#models/realtime.ts';

const id = '11111111-1111-4111-8111-111111111111';
const framed = (data: unknown, topic: unknown = 'areas.users') =>
  JSON.stringify({ topic, data: typeof data === 'string' ? data : JSON.stringify(data) });

describe('a server’s frame (RT-04)', () => {
  it('names its event by the last segment of the type', () => {
    const word = readServerFrame(framed({ type: 'App\\Some\\Space\\RowsChanged', area: 'users', ids: [id] }));
    expect(word).toEqual({ topic: 'areas.users', name: 'RowsChanged', payload: { area: 'users', ids: [id] } });
    expect(word && isEvent(word)).toBe(true);
  });

  it('comes back as it was written', () => {
    const frame = frameOf(topics.calls('700'), 'CallUpdated', { speech_id: 'x', type: 'not the event' });
    expect(readServerFrame(frame)).toEqual({ topic: 'calls-management.700', name: 'CallUpdated', payload: { speech_id: 'x' } });
    expect((JSON.parse(frame) as { data: string }).data).toContain(String.raw`Doorward\\Events\\CallUpdated`);
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['bytes', new ArrayBuffer(8)],
    ['five megabytes', `{"topic":"x","data":"${'x'.repeat(5_000_000)}"}`],
    ['data that is no text', JSON.stringify({ topic: 'x', data: { type: 'A\\RowsChanged' } })],
    ['data that is no JSON', framed('{')],
    ['data encoded twice', framed(JSON.stringify(JSON.stringify({ type: 'A\\LicenceChanged' })))],
    ['data that is null', framed('null')],
    ['a type without backslash', framed({ type: 'LicenceChanged' })],
    ['no type', framed({ area: 'users', ids: [] })],
    ['a type that is no text', framed({ type: ['A\\LicenceChanged'] })],
    ['an unknown event', framed({ type: 'A\\Unheard' })],
    ['a prototype as event', framed({ type: 'A\\__proto__' })],
    ['a method as event', framed({ type: 'A\\constructor' })],
    ['a wrong payload', framed({ type: 'A\\RowsChanged', area: 'users', ids: ['1'] })],
    ['an unknown area', framed({ type: 'A\\RowsChanged', area: '__proto__', ids: [] })],
    ['a topic that is no text', framed({ type: 'A\\LicenceChanged' }, 7)],
    ['no topic', JSON.stringify({ data: '{}' })],
  ])('that is %s says nothing', (_, frame) => expect(readServerFrame(frame)).toBeNull());

  it('does not reach prototypes', () => {
    const word = readServerFrame(`{"topic":"x","data":"{\\"type\\":\\"A\\\\\\\\CallUpdated\\",\\"__proto__\\":{\\"polluted\\":true}}"}`);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(word === null || word.name === 'CallUpdated').toBe(true);
  });

  it('never throws, whatever it is (R9)', () => {
    const names = Object.keys(realtimeEvents);
    const nearly = fc.record({ topic: fc.anything(), data: fc.oneof(fc.string(), fc.json(), fc.anything()) }).map((frame) => JSON.stringify(frame));
    const close = fc
      .tuple(fc.constantFrom(...names, '__proto__', 'toString', ''), fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([name, rest]) => framed({ ...rest, type: `A\\${name}` }));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.anything(), nearly, close), (frame) => {
        const word = readServerFrame(frame);
        expect(word === null || typeof word.topic === 'string').toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('a client’s frame (RT-03)', () => {
  it.each([
    { command: 'subscribe', topic: 'areas.users' },
    { command: 'unsubscribe', topic: 'areas.users' },
    { command: 'publish', topic: 'probe', text: 'x' },
  ])('$command is understood', (frame) => expect(readClientFrame(JSON.stringify(frame))).toEqual(frame));

  it.each([
    '',
    '{}',
    'null',
    '{"command":"subscribe"}',
    '{"command":"publish","topic":"x"}',
    '{"command":"x","topic":"y"}',
    `{"command":"subscribe","topic":"${'x'.repeat(500)}"}`,
  ])('%s is none', (frame) => expect(readClientFrame(frame)).toBeNull());

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (frame) => void readClientFrame(frame)),
      { numRuns: 10_000 },
    );
    expect(readClientFrame('{')).toBeNull();
  });
});

describe('topics (RT-05 to RT-07)', () => {
  it('are spelled as the contract spells them and read back', () => {
    expect([topics.user(id), topics.appChanges, topics.calls('1001'), topics.job(id), topics.area('users'), topics.device(id)]).toEqual([
      `private-user.${id}`,
      'private-app-changes',
      'calls-management.1001',
      `jobs.${id}`,
      'areas.users',
      `devices.${id}`,
    ]);
    expect(readTopic(topics.user(id))).toEqual({ kind: 'user', id });
    expect(readTopic(topics.appChanges)).toEqual({ kind: 'appChanges' });
    expect(readTopic(topics.calls('1001'))).toEqual({ kind: 'calls', number: '1001' });
    expect(readTopic(topics.job(id))).toEqual({ kind: 'job', id });
    expect(readTopic(topics.device(id))).toEqual({ kind: 'device', id });
    expect(readTopic(topics.editors('users', id))).toEqual({ kind: 'editors', area: 'users', id });
    expect(readTopic(topics.editing('roles', id))).toEqual({ kind: 'editing', area: 'roles', id });
    for (const area of areaNames) expect(readTopic(topics.area(area))).toEqual({ kind: 'area', area });
  });

  it('that are none are told apart', () => {
    for (const name of [
      '',
      '.',
      'areas.',
      'areas.nobody',
      'areas.toString',
      'jobs.7',
      'editing.users',
      `editing.nothing.${id}`,
      `editors.users.${id}.more`,
      'calls-management.',
      'calls-management.a b',
      'x.y',
      'private-app-changes.1',
    ])
      expect(readTopic(name)).toBeNull();
    fc.assert(fc.property(fc.string(), (name) => void readTopic(name)));
  });

  it('fit a frame', () => expect(maxFrameBytes).toBe(65_536));
});
