import type { Services } from '../context.ts';
import { invalidField } from '../http-error.ts';
import { demoPort, mayDial, maySearch, toAddress, toNumber } from './addresses.ts';
import { infoByHttp } from './http-device.ts';
import type { DeviceInfo } from './protocol.ts';

/** One device that answered. */
export interface Answering extends DeviceInfo {
  ip: string;
  port: number;
}

/** The most addresses of one search: a /22. */
export const mostAddresses = 1_024;
const usualPorts = [80, 8080] as const;
const atATime = 48;

/**
 * The addresses from `start` to `end`.
 * @throws HttpError `invalid_data` when the end comes first, there are too many, or one lies outside private networks
 */
export function addressesBetween({ config }: Pick<Services, 'config'>, start: string, end: string): string[] {
  const [from, to] = [toNumber(start), toNumber(end)];
  if (to < from) throw invalidField(['end_ip'], 'range_order');
  if (to - from + 1 > mostAddresses) throw invalidField(['end_ip'], 'range_size', { max: mostAddresses });
  const all = Array.from({ length: to - from + 1 }, (_, at) => toAddress(from + at));
  if (!all.every((ip) => maySearch(ip, config))) throw invalidField(['start_ip'], 'range_private');
  return all;
}

/** Asks every address in turn who is there, some side by side; tells of each that answers, and how far it has come. */
export async function searchAddresses(
  { config }: Pick<Services, 'config'>,
  addresses: readonly string[],
  listener: { found: (device: Answering) => void; done: (count: number) => void; isCancelled: () => boolean },
): Promise<void> {
  const asked = config.demo ? [...usualPorts, demoPort(config)] : usualPorts;
  let next = 0;
  let done = 0;
  const hand = async (): Promise<void> => {
    for (let ip = addresses[next++]; ip !== undefined && !listener.isCancelled(); ip = addresses[next++]) {
      const at = ip;
      const ports = mayDial(at, config) ? asked : [];
      const answers = await Promise.all(ports.map(async (port) => ({ port, info: await infoByHttp({ ip: at, port }) })));
      for (const { port, info } of answers) if (info) listener.found({ ...info, ip, port });
      done += 1;
      listener.done(done);
    }
  };
  await Promise.all(Array.from({ length: atATime }, hand));
}
