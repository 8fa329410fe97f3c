import { sipInitial, type SipSettings } from '#models/sip-settings.ts';
import type { Services } from '../context.ts';
import { channel } from '../realtime/publish.ts';
import { blockOfProjects } from '../settings/store.ts';

/**
 * Keeps `services.sipSettings`: how calls of each project go, at hand with every call. Changes are told as those of virtual numbers are,
 * to every process. @returns how to stop
 */
export async function followSipSettings(services: Services): Promise<() => Promise<void>> {
  let all = new Map<string, SipSettings>();
  const read = async (): Promise<void> => {
    all = await blockOfProjects(services.db, 'sip');
  };
  const readAgain = (): void => void read().catch((error: unknown) => services.log.warn({ err: error }, 'how calls go could not be read'));
  const unlisten = await services.listen(channel, (line) => (line.includes('"areas.sip-numbers"') ? readAgain() : undefined), readAgain);
  await read();
  services.sipSettings = { of: (projectId) => all.get(projectId) ?? sipInitial, all: () => [...all.values()] };
  return async () => {
    delete services.sipSettings;
    await unlisten();
  };
}

/** A node with its port, which is that of this server where none is named. */
export const nodePlace = (node: string, port: number): string => (/:\d+$/.test(node) ? node : `${node}:${port}`);
