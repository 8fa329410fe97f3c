import type { z } from 'zod';
import type { calls } from '#models/api.ts';
import type { ShownSip } from '#models/sip-settings.ts';
import { topics } from '#models/realtime.ts';
import { isOperator, requireOperator } from '../access/operator.ts';
import type { Principal, Services } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { publish } from '../realtime/publish.ts';
import { fixedBy, networkFor, readNetwork } from '../telephony/network.ts';
import { changePhoneServer, readPhoneServer } from '../telephony/phone-server.ts';
import { changeBlock, readBlock } from './store.ts';

type SipPatch = z.output<typeof calls.setSipSettings.body>;

/** Where telephony is found now, as it was opened with. */
const inUse = ({ config, sipPort, sipPortRefused = null, sipNetwork }: Services) => ({
  port: sipPort ?? config.sipPort,
  udp: config.sipUdp && `${config.sipUdp.host}:${config.sipUdp.port}`,
  internal_ip: sipNetwork?.internal_ip ?? null,
  external_ip: sipNetwork ? sipNetwork.external_ip : config.media.address,
  refused_port: sipPortRefused,
  rtp: sipNetwork ? sipNetwork.rtp : config.media.ports && { min: config.media.ports[0], max: config.media.ports[1] },
});

/** SIP as it is set and as it runs. */
export async function shownSip(services: Services, principal: Principal): Promise<ShownSip> {
  const { db, config, sipNetwork } = services;
  const { projectId } = principal;
  const [server, own, network, wanted, runs] = await Promise.all([
    readPhoneServer(db, projectId),
    readBlock(db, projectId, 'sip'),
    readNetwork(services),
    networkFor(services),
    isOperator(services, principal),
  ]);
  const isOther = sipNetwork !== undefined && JSON.stringify(sipNetwork) !== JSON.stringify(wanted);
  return { server, ...own.value, network, fixed: fixedBy({ config }), is_operator: runs, ...inUse(services), needs_restart: isOther };
}

/**
 * Changes how web phones register and calls go, and how the server is reached. The latter is in use once SIP is restarted.
 * @throws HttpError `forbidden` for the network in projects that do not run the installation
 */
export async function setSip(services: Services, principal: Principal, { server, network, ...own }: SipPatch): Promise<ShownSip> {
  if (network) {
    await requireOperator(services, principal);
    const fixed = fixedBy(services);
    const before = await readNetwork(services);
    const path = fixed.find((name) => network[name] !== undefined && JSON.stringify(network[name]) !== JSON.stringify(before[name]));
    if (path) throw new HttpError('forbidden', { issues: [{ path: ['network', path], rule: 'set_by_environment', params: {} }] });
    await changeBlock(services, principal, 'sip_network', network);
  }
  if (Object.keys(own).length > 0)
    await changeBlock(services, principal, 'sip', own, async ({ tx }) => {
      await publish(tx, principal.projectId, topics.area('sip-numbers'), 'RowsChanged', { area: 'sip-numbers', ids: [] });
      return {};
    });
  if (server !== undefined) await changePhoneServer(services, principal, server);
  return shownSip(services, principal);
}
