import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMedia } from '#server/telephony/media/open.ts';
import type { MediaPort } from '#server/telephony/media/port.ts';
import { callIn, heardFrom, until } from './media-support.ts';

let media: MediaPort;
const processes: number[] = [];
const warned: object[] = [];
beforeAll(async () => {
  media = await openMedia({ log: { warn: (data) => warned.push(data) }, onProcess: (pid) => pid !== undefined && processes.push(pid) });
});
afterAll(() => media.shut());
const voice = { video: false, kind: 'webrtc' } as const;
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it('a call through the process: both ends of it in there, keys told by event', async () => {
  const heard = heardFrom(media);
  await callIn(media, 'a', media, 'far', voice);
  await until(() => heard.of('a', 'connected').length + heard.of('far', 'connected').length === 2);
  expect(await media.sendDtmf('far', '#', 160)).toBe(true);
  await until(() => heard.of('a', 'dtmf').length === 1);
  expect(heard.of('a', 'dtmf')).toEqual([{ type: 'dtmf', leg: 'a', digit: '#', duration: 160, unpassed: true }]);
  expect(await media.sendDtmf('nobody', '#', 160)).toBe(false);
  await expect(media.answer('b', 'v=0')).rejects.toMatchObject({ code: 'incompatible' });
});

it('a signal to the whole group of processes is the server’s to answer: calls go on', async () => {
  const [first = 0] = processes;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.kill(first, signal);
    expect(await media.sendDtmf('far', '1', 160)).toBe(true);
  }
  expect([isAlive(first), warned]).toEqual([true, []]);
});

it('a process that dies: every leg is told as gone, what was asked is refused, and a new one does its work', async () => {
  const heard = heardFrom(media);
  const [first = 0] = processes;
  const pending = Promise.allSettled(Array.from({ length: 20 }, (_, at) => media.offer(`o${at}`, voice)));
  process.kill(first, 'SIGKILL');
  const results = await pending;
  expect(results.every((result) => result.status === 'fulfilled' || result.reason.code === 'unavailable')).toBe(true);
  await until(() => heard.of('a', 'gone').length === 1 && heard.of('far', 'gone').length === 1);
  expect(warned).toHaveLength(1);
  await until(() => processes.length === 2 && isAlive(processes[1] ?? 0));
  await until(() => !isAlive(first));
  let answer = '';
  await until(() => {
    void media.offer('again', voice).then(
      (sdp) => (answer ||= sdp),
      () => undefined,
    );
    return answer !== '';
  });
  expect(answer).toMatch(/^v=0/);
  await media.close('a');
});

it('leaves no process behind', async () => {
  const last = processes.at(-1) ?? 0;
  await media.shut();
  await until(() => !isAlive(last));
  expect(warned).toHaveLength(1);
  await expect(media.offer('late', voice)).rejects.toMatchObject({ code: 'unavailable' });
});
