import { randomUUID } from 'node:crypto';
import type { MediaPort } from '../media/port.ts';
import type { Party, SipLeg, SipServer } from '../sip/leg.ts';
import type { Trunk } from '../sip/trunk.ts';
import { LiveLeg } from './live-leg.ts';
import { type FarSide, inside } from './outside.ts';
import type { TrunkLine } from './trunks.ts';
import type { Ring, Role } from './types.ts';

/** What all that are rung for a call are told. */
export interface Ringing {
  sip: SipServer;
  media: MediaPort;
  from: Party;
  video: boolean;
  /** The caller's leg, in the media's words. */
  toward: string;
  /** Headers for one who is rung as this. */
  headers: (as: Role) => Record<string, string>;
  /** The line for a number outside; null where there is none. */
  line: (number: string) => Promise<TrunkLine | null>;
  /** May the caller be joined to one outside whom a trunk leads to? */
  mayMeet: (trunk: Trunk) => boolean;
  /** Takes a phone to be rung; false for one that rings already. */
  takes: (place: string) => boolean;
  /** Still wanted? Asked after the media are ready, before the first INVITE goes out. */
  isWanted: () => boolean;
}
export interface Rung {
  leg: LiveLeg;
  as: Role;
}

type Way = { kind: 'webrtc' | 'rtp'; place: string | null; address: string | null; far: FarSide; invite: (sdp: string) => SipLeg };

async function waysTo({ sip, from, headers, line, takes, mayMeet }: Ringing, { number, name, as, phone, door }: Ring): Promise<Way[]> {
  const to = { number, name };
  if (!phone) {
    const places = sip.bindings(number).map((binding) => ({ binding, place: `${number} ${binding.instance}` }));
    return places
      .filter(({ place }) => takes(place))
      .map(({ binding, place }) => ({
        kind: binding.kind,
        place,
        address: binding.address,
        far: { ...inside, door },
        invite: (sdp) => sip.invite(binding, { from, to, sdp, headers: headers(as) }),
      }));
  }
  const found = await line(number);
  if (!found || !mayMeet(found.trunk)) return [];
  const shown = { number: found.outgoing ?? from.number, name: from.name };
  const invite: Way['invite'] = (sdp) => sip.inviteTrunk(found, { from: shown, to, sdp });
  return [{ kind: 'rtp', place: null, address: found.address, far: { ...inside, trunk: found.trunk }, invite }];
}

/** Rings numbers, each wherever it can be reached. Who cannot be reached, or has no media in common with us, is left out. */
export async function ringAll(ringing: Ringing, rings: readonly Ring[]): Promise<Rung[]> {
  const { media, video, toward, isWanted } = ringing;
  const offered = await Promise.all(
    rings.map(async (ring) => {
      const ways = await waysTo(ringing, ring);
      return Promise.all(
        ways.map(async (way) => {
          const id = randomUUID();
          const sdp = await media.offer(id, { video, kind: way.kind, far: way.address }, toward).catch(() => null);
          return sdp === null ? [] : [{ id, sdp, way, ring }];
        }),
      );
    }),
  );
  const ready = offered.flat(2);
  if (!isWanted()) {
    await Promise.all(ready.map(({ id }) => media.close(id).catch(() => undefined)));
    return [];
  }
  return ready.map(({ id, sdp, way, ring }) => ({
    leg: new LiveLeg(media, way.invite(sdp), { number: ring.number, id, place: way.place, far: way.far }),
    as: ring.as,
  }));
}
