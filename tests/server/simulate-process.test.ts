import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenarioNames, type SimulatorState } from '#models/simulator.ts';
import { until } from './devices-support.ts';
import { buildServer, freePort, request, type ServerProcess, startServer, tokenAt } from './process.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;
let demo: ServerProcess;
let bare: ServerProcess;

beforeAll(async () => {
  const entry = await buildServer();
  folder = await mkdtemp(join(tmpdir(), 'doorward-simulate-'));
  demo = startServer(entry, await freePort(), { DOORWARD_DEMO: 'on', DOORWARD_DEMO_LIFE: 'off', DOORWARD_DATA: join(folder, 'demo') });
  await demo.ready;
  bare = startServer(entry, await freePort(), { DOORWARD_DATA: join(folder, 'bare') });
  await bare.ready;
  const token = await tokenAt(demo.url, 'admin');
  await until(
    async () => ((await request(demo.url, 'GET', '/simulator', token)).json as { data: SimulatorState }).data.devices,
    (devices) => devices.filter(({ online }) => online).length > 45,
    40_000,
  );
});
afterAll(async () => {
  for (const { child, exit } of [demo, bare]) {
    child.kill();
    await exit;
  }
  await rm(folder, { recursive: true, force: true });
});

/** The command as a person types it. */
function simulate(port: number, ...args: string[]) {
  const child = spawn(process.execPath, ['scripts/simulate.mjs', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], DOORWARD_PORT: String(port) },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise<{ code: number | null; out: string; err: string }>((done) => child.once('exit', (code) => done({ code, out, err })));
}

describe('npm run simulate', () => {
  it('lists every scenario with a sentence when none is named', async () => {
    const { code, out } = await simulate(1);
    expect(code).toBe(0);
    for (const name of scenarioNames) expect(out).toMatch(new RegExp(`^ +${name} +[A-Z].+\\. [A-Z].+\\.$`, 'm'));
  });

  it('plays one and prints each step with what the device said', async () => {
    const { code, out, err } = await simulate(demo.port, 'card-refused');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/Tower A lobby: an invalid credential is presented \((?:revoked|blocked|expired)\)/);
    const token = await tokenAt(demo.url, 'admin');
    const { json } = await request(demo.url, 'GET', '/device-events?size=1&sort=-occurred_at', token);
    expect((json as { data: { type: string; device_name: string }[] }).data[0]).toMatchObject({
      type: 'access_denied',
      device_name: 'Tower A lobby',
    });
  });

  it('ends with 1 when somebody stops it', async () => {
    const playing = simulate(demo.port, 'smoke-alarm');
    const token = await tokenAt(demo.url, 'admin');
    const look = async () => ((await request(demo.url, 'GET', '/simulator', token)).json as { data: SimulatorState }).data.run;
    await until(look, (run) => run?.name === 'smoke-alarm' && run.done === 1, 30_000);
    await request(demo.url, 'DELETE', '/simulator/scenarios', token);
    expect(await playing).toMatchObject({ code: 1, err: 'Stopped.\n' });
  });

  it('says in one sentence why it cannot: no such scenario, no server, no demo, no Doorward', async () => {
    const other = createServer((_request, response) => void response.writeHead(200).end('hello'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const tries = [
      await simulate(demo.port, 'fire-and-flood'),
      await simulate(await freePort(), 'sos'),
      await simulate(bare.port, 'sos'),
      await simulate((other.address() as AddressInfo).port, 'sos'),
    ];
    other.close();
    expect(tries.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(tries.map(({ err }) => err.trim().split('\n').length)).toEqual([1, 1, 1, 1]);
    expect(tries.map(({ err }) => err)).toEqual([
      expect.stringContaining('There is no scenario "fire-and-flood"'),
      expect.stringContaining('Doorward is not running at'),
      expect.stringContaining('Is the demo on?'),
      expect.stringContaining('did not respond as Doorward does'),
    ]);
  });
});
