import { type fixedSettings, networkInitial, type SipNetwork } from '#models/sip-settings.ts';
import { operatorProject } from '../access/operator.ts';
import type { Services } from '../context.ts';
import { readBlock } from '../settings/store.ts';

type Fixed = (typeof fixedSettings)[number];

/** Which settings of the network the environment decides: there whoever starts the server has the last word. */
export const fixedBy = ({ config }: Pick<Services, 'config'>): Fixed[] => [
  ...(config.sipPortFixed ? (['port'] as const) : []),
  ...(config.media.address === null ? [] : (['external_ip'] as const)),
  ...(config.media.ports === null ? [] : (['rtp'] as const)),
];

/** The network as the people of the project that runs the installation have set it. */
export async function readNetwork({ db }: Pick<Services, 'db'>): Promise<SipNetwork> {
  const projectId = await operatorProject(db);
  return projectId === null ? networkInitial : (await readBlock(db, projectId, 'sip_network')).value;
}

/** The network as it is to be used: what was set, but for what the environment decides. A null port is that of the configuration. */
export async function networkFor(services: Pick<Services, 'db' | 'config'>): Promise<SipNetwork> {
  const set = await readNetwork(services);
  const { media, sipPortFixed } = services.config;
  return {
    ...set,
    port: sipPortFixed ? null : set.port,
    external_ip: media.address ?? set.external_ip,
    rtp: media.ports ? { min: media.ports[0], max: media.ports[1] } : set.rtp,
  };
}
