import type { LegCommand, LegInput, LegReport, UserAgentCommand, UserAgentReport } from '#machines/phone/ports.ts';
import { openLeg } from './leg.ts';
import { openLegMedia } from './leg-media.ts';
import type { Line } from './leg-session.ts';
import { openLoudspeaker } from './loudspeaker.ts';
import type { Media } from './media.ts';
import type { Pictures } from './pictures.ts';
import { openUserAgent, type UserAgent, type UserAgentWorld } from './user-agent.ts';

interface Deps extends UserAgentWorld {
  media: Media;
  pictures: Pictures;
  makeAudio: () => HTMLAudioElement;
  document: Pick<Document, 'addEventListener' | 'removeEventListener'>;
}
/** A lasting port: what it is told, and how it is let go. */
interface Port<Command> {
  send: (command: Command) => void;
  close: () => void;
}
/** The user agent and the legs on it, of which the machines see two ports. */
export interface PhoneLine {
  userAgent: (input: { number: string }, report: (fact: UserAgentReport) => void) => Port<UserAgentCommand>;
  leg: (input: LegInput, report: (fact: LegReport) => void) => Port<LegCommand>;
  /** The line that is there now; null before it was told to register. */
  current: () => Line | null;
}

/** Opens a leg on the line of a user agent, which knows it by its speech id for as long as it is up. */
function legOn(agent: UserAgent, line: Line, deps: Deps, input: LegInput, report: (fact: LegReport) => void): Port<LegCommand> {
  const { media, makeAudio, document, pictures } = deps;
  const { speechId } = input;
  let isOver = false;
  const leg = openLeg({
    line,
    input,
    openMedia: (offer) =>
      openLegMedia({
        media,
        loudspeaker: openLoudspeaker(media, makeAudio, document),
        show: (side, stream) => pictures.show(speechId, side, stream),
        offer,
        report,
      }),
    other: (id) => agent.legs.get(id)?.session() ?? null,
    report: (fact) => {
      if (fact.type === 'leg.ended') {
        isOver = true;
        agent.legs.delete(speechId);
      }
      report(fact);
    },
  });
  if (!isOver) agent.legs.set(speechId, leg);
  return { send: leg.obey, close: leg.close };
}

/** Opens the phone line of this page. */
export function openPhoneLine(deps: Deps): PhoneLine {
  let agent: UserAgent | null = null;
  return {
    current: () => agent?.line() ?? null,
    userAgent({ number }, report) {
      const opened = openUserAgent(deps, number, report);
      agent = opened;
      return {
        send: opened.obey,
        close() {
          opened.close();
          if (agent === opened) agent = null;
        },
      };
    },
    leg(input, report) {
      const line = agent?.line();
      if (agent && line && deps.media.support() === null) return legOn(agent, line, deps, input, report);
      if (deps.media.support() !== null) report({ type: 'leg.microphone', trouble: 'unsupported' });
      report({ type: 'leg.ended', end: { by: 'us', cause: line ? 'media' : 'transport', status: null, takenBy: null }, at: deps.now() });
      return { send: () => {}, close: () => {} };
    },
  };
}
