import { constants } from '#models/constants.ts';
import { sipConstants } from '#models/sip.ts';

/** Kinds of candidates that were found until gathering was cut, each once: `host`, `srflx`, `relay`. */
export type CandidateKinds = readonly string[];

interface Cut {
  /** To be called with each candidate as it is found. */
  found: (candidate: RTCIceCandidate) => void;
  stop: () => void;
}

/** Can the far side make something of it? Names of the local network and connections over TCP that only call out are of use to hardly anyone. */
const isUsable = ({ candidate, tcpType }: RTCIceCandidate): boolean => tcpType !== 'active' && !/ \S+\.local /.test(candidate);

/**
 * Ends gathering 200 ms after the first usable candidate, and 2 s after its start at the latest (clause SIP-10): a dead STUN
 * server otherwise holds the INVITE back for 40 s.
 */
export function cutGathering(ready: (kinds: CandidateKinds) => void): Cut {
  const kinds = new Set<string>();
  let soon: ReturnType<typeof setTimeout> | undefined;
  const done = (): void => {
    stop();
    ready([...kinds]);
  };
  const latest = setTimeout(done, sipConstants.iceLongest);
  const stop = (): void => {
    clearTimeout(soon);
    clearTimeout(latest);
  };
  return {
    found(candidate) {
      kinds.add(candidate.type ?? 'host');
      if (isUsable(candidate)) soon ??= setTimeout(done, constants.iceGatheringTime);
    },
    stop,
  };
}

/** Resolves when a connection that has begun to gather anew has gathered what is sent with its description: all there is, or what was found until the cut. */
export function gathered(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cut.stop();
      connection.removeEventListener('icecandidate', heard);
      resolve();
    };
    const heard = ({ candidate }: RTCPeerConnectionIceEvent): void => (candidate ? cut.found(candidate) : done());
    const cut = cutGathering(done);
    connection.addEventListener('icecandidate', heard);
  });
}
