import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PhoneSettings } from '#models/phone-calls.ts';
import type { ServiceStatus } from '#models/system-info.ts';
import type { ShownSip } from '#models/sip-settings.ts';
import { devices, projectSettings } from '#server/db/schema/index.ts';
import { connectSources } from '#server/http/security.ts';
import { addressFor, machineAddresses } from '#server/telephony/media/path.ts';
import { Studio } from '#server/telephony/media/studio.ts';
import { networkFor } from '#server/telephony/network.ts';
import { address, type CallServer, openCallServer, type Phone, roleOf, settle } from './calls-support.ts';
import { codeOf, dataOf, makePerson, type Person } from './estate.ts';
import { until } from './sip-support.ts';

let world: CallServer;
let boss: Person;
let stranger: Person;
let panel: Phone;
let mother: Phone;
let monitor: Phone;
const path = '/project-settings/sip';
const set = (body: object, who = boss) => who.client.patch(path, body);
const shown = async () => dataOf<ShownSip>(await boss.client.get(path));
const issuesOf = (answer: { json: () => unknown }): string[] =>
  (answer.json() as { data: { issues: { path: string[]; rule: string }[] } }).data.issues.map(({ path: at, rule }) => `${at.join('.')} ${rule}`);
const settings = async (who = boss) => dataOf<PhoneSettings>(await who.client.get('/calls/settings'));

beforeAll(async () => {
  world = await openCallServer();
  const { groups } = world.estate;
  const permissions = ['can_view_project_settings', 'can_change_project_settings', 'can_view_system_info'] as const;
  boss = await makePerson(world.server, world.estate, { permissions: [...permissions], in: [groups.town] });
  stranger = await makePerson(world.server, world.estate, { permissions: [...permissions], in: [groups.abroad], project: world.estate.there });
  await address(world, groups.n1, '11');
  await world.person('3001', roleOf('resident'), [groups.n1]);
  await world.panel('2001', groups.north);
  const device = await world.panel('2101', groups.n1);
  await world.server.services.db.update(devices).set({ type: 'monitor', protocol: 'mqtt' }).where(eq(devices.id, device));
  panel = await world.phone('2001');
  mother = await world.phone('3001');
  monitor = await world.phone('2101');
});
beforeEach(async () => {
  await world.server.services.db.delete(projectSettings);
});
afterEach(() => settle(world));
afterAll(() => world.close());

/** What was set is known to calls a moment later. */
const known = (holds: () => boolean) => until(holds);
const own = () => world.server.services.sipSettings?.of(world.estate.here);
const dial = (number: string): { id: string; out: ReturnType<Phone['dial']> } => {
  const id = randomUUID();
  return { id, out: panel.dial(number, { 'X-Speech-Id': id }) };
};

describe('how calls of a project go', () => {
  it('is set by its people for it alone', async () => {
    const answer = dataOf<ShownSip>(await set({ early_media: false, nodes: ['sip2.example.org'] }));
    expect(answer).toMatchObject({ early_media: false, nodes: ['sip2.example.org'], auto_forward: { enabled: false, device_protocol: 'all' } });
    expect(dataOf<ShownSip>(await stranger.client.get(path))).toMatchObject({ early_media: true, nodes: [], is_operator: false });
  });

  it('automatic forwarding rings the monitors of a group first, those of the protocol chosen', async () => {
    await set({ auto_forward: { enabled: true, device_protocol: 'mqtt' } });
    const first = dial('11');
    monitor.client.refuse(await monitor.incoming(first.id), 486);
    await mother.client.answer(await mother.incoming(first.id));
    expect((await panel.final(first.out)).status).toBe(200);
    await settle(world);
    await set({ auto_forward: { enabled: true, device_protocol: 'http' } });
    const second = dial('11');
    await mother.incoming(second.id);
    await expect(monitor.incoming(second.id, 80)).rejects.toThrow('in vain');
  });

  it('without early media nobody hears anything before the answer', async () => {
    await world.person('1001', roleOf('concierge'), [world.estate.groups.town]);
    await world.number('700', { domainId: world.estate.groups.town });
    const ringing = async () => {
      const { out } = dial('700');
      const { status } = await panel.client.next((heard) => heard.of('call-id') === out.callId && (heard.status === 180 || heard.status === 183));
      await settle(world);
      return status;
    };
    expect(await ringing()).toBe(183);
    await set({ early_media: false });
    await known(() => own()?.early_media === false);
    expect(await ringing()).toBe(180);
  });

  it('nodes are told to web phones, and pages may talk to them', async () => {
    const { services } = world.server;
    await set({ nodes: ['sip2.example.org', '10.1.1.1:9443'] });
    await known(() => own()?.nodes.length === 2);
    const port = world.telephony.sip.ports.ws;
    const caller = await world.person('1400', roleOf('concierge'), [world.estate.groups.town]);
    expect((await settings(caller)).nodes).toEqual([`sip2.example.org:${port}`, '10.1.1.1:9443']);
    expect(connectSources(services, undefined)).toEqual(expect.arrayContaining([`ws://sip2.example.org:${port}`, 'ws://10.1.1.1:9443']));
    // Of another server this one knows no nodes.
    await set({ server: { host: 'pbx.example', port: 7443, secure: true, realm: null } });
    expect((await settings(caller)).nodes).toEqual([]);
    await set({ server: null });
  });
});

describe('the network', () => {
  const local = { internal_ip: '10.0.0.5', external_ip: '203.0.113.9', local_networks: ['10.0.0.0/24'], rtp: { min: 41_000, max: 41_099 } };

  it('is of the installation: only people of the project that runs it change it', async () => {
    expect(codeOf(await set({ network: { port: 9443 } }, stranger))).toBe('forbidden');
    const answer = dataOf<ShownSip>(await set({ network: local }));
    expect(answer).toMatchObject({ network: { ...local, port: null }, is_operator: true, fixed: [], needs_restart: true, external_ip: null });
    expect(dataOf<ShownSip>(await stranger.client.get(path)).network).toMatchObject(local);
  });

  it.each([
    [{ port: 0 }, 'network.port between'],
    [{ external_ip: 'sip.example' }, 'network.external_ip ip'],
    [{ rtp: { min: 41_000, max: 41_003 } }, 'network.rtp.max at_least_ports'],
    [{ local_networks: ['10.0.0.1'] }, 'network.local_networks.0 ip_with_prefix'],
  ])('%j is refused', async (network, issue) => {
    expect(issuesOf(await set({ network }))).toEqual([issue]);
  });

  it('needs local networks for an internal address', async () => {
    expect(issuesOf(await set({ network: { internal_ip: '10.0.0.5' } }))).toEqual(['local_networks required']);
  });

  it('is used when SIP is restarted: another port, addresses and media ports', async () => {
    const probe = createServer();
    await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
    const { port } = probe.address() as AddressInfo;
    await new Promise((done) => probe.close(done));
    await set({ network: { ...local, port } });
    expect((await shown()).port).not.toBe(port);
    await world.restart();
    expect(world.telephony.sip.ports.ws).toBe(port);
    expect(await shown()).toMatchObject({ port, internal_ip: '10.0.0.5', external_ip: '203.0.113.9', rtp: local.rtp, needs_restart: false });
  });

  it('with a port that another program has: SIP starts on that of the configuration, and says so', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    await set({ network: { port } });
    await world.restart();
    const found = await shown();
    expect(found).toMatchObject({ network: { port }, refused_port: port, needs_restart: true });
    expect(found.port).not.toBe(port);
    const refusedPort = async () => dataOf<ServiceStatus>(await boss.client.get('/services/sip/status')).refused_port;
    expect(await refusedPort()).toBe(port);
    await new Promise((done) => other.close(done));
    await world.restart();
    expect(await shown()).toMatchObject({ port, refused_port: null, needs_restart: false });
    expect(await refusedPort()).toBeNull();
  });

  it('leaves the last word to the environment', async () => {
    const { services } = world.server;
    await set({ network: { ...local, port: 9443 } });
    const config = { ...services.config, sipPortFixed: true, media: { address: '198.51.100.7', ports: [42_000, 42_099] as const } };
    expect(await networkFor({ ...services, config })).toMatchObject({ port: null, external_ip: '198.51.100.7', rtp: { min: 42_000, max: 42_099 } });
    Object.assign(services.config, { media: config.media });
    expect((await shown()).fixed).toEqual(['external_ip', 'rtp']);
    expect(issuesOf(await set({ network: { external_ip: '203.0.113.10' } }))).toEqual(['network.external_ip set_by_environment']);
    Object.assign(services.config, { media: { address: null, ports: null } });
  });

  it('tells phones of the local networks the internal address, and all others the external one', async () => {
    const addresses = machineAddresses({ address: local.external_ip, ports: null, internal: local.internal_ip, networks: local.local_networks });
    expect(['10.0.0.77', '10.0.1.77', '127.0.0.1', null].map((far) => addressFor(addresses, far))).toEqual([
      '10.0.0.5',
      '203.0.113.9',
      '127.0.0.1',
      '203.0.113.9',
    ]);
    expect(addresses.all).toEqual(expect.arrayContaining(['203.0.113.9', '10.0.0.5']));
    const studio = new Studio(addresses);
    const offered = async (far: string) => /c=IN IP4 (\S+)/.exec(await studio.offer(far, { video: false, kind: 'rtp', far }))?.[1];
    expect([await offered('10.0.0.77'), await offered('198.51.100.20')]).toEqual(['10.0.0.5', '203.0.113.9']);
    await studio.shut();
  });
});
