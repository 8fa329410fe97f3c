import { BlockList, isIPv4 } from 'node:net';

/** Whether an address is of one of these networks (`10.0.0.0/24`). */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    list.addSubnet(base, Number(bits), 'ipv4');
  }
  return (address) => isIPv4(address) && list.check(address, 'ipv4');
}
