import Grammar from 'jssip/lib/Grammar.js';

/** A trunk, as far as calls ask: whose it is, and what those outside may do at the door panels of its groups. */
export interface Trunk {
  id: string;
  name: string;
  projectId: string;
  groups: readonly string[];
  panelCalls: boolean;
  panelKeys: boolean;
}
/** A trunk that calls in with a login, and the password that proves it. */
export interface TrunkAccount {
  trunk: Trunk;
  password: string;
}

/** The address of a provider's server as it was typed, as a URI. */
export const withScheme = (address: string): string => (/^sips?:/i.test(address) ? address : `sip:${address}`);

/** Where a trunk's termination URI leads: host and port to send to, the domain in From and To. @returns null where it leads nowhere */
export function trunkPlace(uri: string): { uri: string; host: string; port: number; domain: string } | null {
  try {
    const parsed = Grammar.parse(uri, 'SIP_URI') as { host: string; port?: number | null; toString: () => string } | -1;
    if (parsed === -1) return null;
    const { host, port } = parsed;
    return { uri: parsed.toString(), host: host.replaceAll(/[[\]]/g, ''), port: port ?? 5060, domain: host };
  } catch {
    return null;
  }
}
