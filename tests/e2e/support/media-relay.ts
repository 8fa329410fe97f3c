import { createSocket, type Socket } from 'node:dgram';
import { machineAddresses } from '#server/telephony/media/path.ts';

/** What becomes of a datagram: it passes, is lost, or comes so many ms later. */
export type Fate = 'passes' | 'lost' | number;
/** Of two directions, from where a datagram comes. */
export type Side = 'browser' | 'server';

/** The network between browsers and media, in the hands of a test: descriptions are rewritten so that all packets go through it. */
export interface MediaRelay {
  /** Decides about every datagram. */
  fate: (bytes: Buffer, from: Side) => Fate;
  /** The same description with a place of the relay instead of the server's own. */
  through: (sdp: string) => Promise<string>;
  /** The browsers have come to another network: what they sent from before leads nowhere any more. */
  changeNetwork: () => void;
  close: () => void;
}

const addresses = machineAddresses().all.filter((address) => !address.includes(':'));

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.on('error', () => undefined);
  await new Promise<void>((done) => socket.bind(0, done));
  return socket;
}

/** Opens a relay through which all passes. */
export function openMediaRelay(): MediaRelay {
  const places = new Map<number, Promise<Socket>>();
  const sockets: Socket[] = [];
  let [eras, isOpen] = [0, true];
  const carry = (bytes: Buffer, from: Side, send: () => void): void => {
    const fate = self.fate(bytes, from);
    const late = (): void => void (isOpen && send());
    if (fate === 'passes') late();
    else if (fate !== 'lost') setTimeout(late, fate);
  };
  /** A place of the relay for a port of the server; each address of a browser is one of the relay's to the server, as behind a router. */
  const placeFor = async (port: number): Promise<Socket> => {
    const down = await bound();
    sockets.push(down);
    const routes = new Map<string, { era: number; up: Promise<Socket> }>();
    down.on('message', (bytes, { address, port: source }) => {
      const key = `${address} ${source}`;
      const era = eras;
      let route = routes.get(key);
      if (!route) {
        route = { era, up: bound() };
        routes.set(key, route);
        void route.up.then((up) => {
          sockets.push(up);
          up.on('message', (back) => era === eras && carry(back, 'server', () => down.send(back, source, address)));
        });
      }
      const { era: since, up } = route;
      if (since === eras) carry(bytes, 'browser', () => void up.then((socket) => socket.send(bytes, port, '127.0.0.1')));
    });
    return down;
  };
  const self: MediaRelay = {
    fate: () => 'passes',
    async through(sdp) {
      const port = Number(/^a=candidate:\S+ 1 udp \d+ [\d.]+ (\d+) typ host/m.exec(sdp)?.[1]);
      if (!port) return sdp;
      const place = places.get(port) ?? placeFor(port);
      places.set(port, place);
      const { port: own } = (await place).address();
      const candidates = addresses.map((address, at) => `a=candidate:${at + 1} 1 udp ${2_113_937_151 - at * 256} ${address} ${own} typ host\r\n`);
      return sdp.replaceAll(/(?:a=candidate:.*\r\n)+/g, candidates.join(''));
    },
    changeNetwork() {
      eras += 1;
    },
    close() {
      isOpen = false;
      for (const socket of sockets.splice(0)) socket.close();
    },
  };
  return self;
}

/** Loses so many of a hundred datagrams, spread the same way each time. */
export function losing(percent: number): () => Fate {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed / 2 ** 31) * 100 < percent ? 'lost' : 'passes';
  };
}
