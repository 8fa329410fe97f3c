import type { LegCommand, LegInput, LegReport, UserAgentCommand, UserAgentReport } from '#machines/phone/ports.ts';
import { openLeg } from './leg.ts';
import { openLegMedia } from './leg-media.ts';
import type { Line } from './leg-session.ts';
import { type Loudspeaker, openLoudspeaker } from './loudspeaker.ts';
import type { Media } from './media.ts';
import type { Pictures } from './pictures.ts';
import { openUserAgent, type UserAgent, type UserAgentWorld } from './user-agent.ts';

interface Around extends UserAgentWorld {
  media: Media;
  pictures: Pictures;
  makeAudio: () => HTMLAudioElement;
  document: Pick<Document, 'addEventListener' | 'removeEventListener'>;
}
/** A lasting port: what it is told, and how it is let go. */
interface Port<Command> {
  tell: (command: Command) => void;
  close: () => void;
}
/** The user agent and the legs on it, of which the machines see two ports. */
export interface PhoneLine {
  userAgent: (input: { number: string }, report: (fact: UserAgentReport) => void) => Port<UserAgentCommand>;
  leg: (input: LegInput, report: (fact: LegReport) => void) => Port<LegCommand>;
  /** The line that is there now; null before it was told to register. */
  current: () => Line | null;
}

/** Opens the phone line of this page. */
export function openPhoneLine(around: Around): PhoneLine {
  let agent: UserAgent | null = null;
  const speaker = (): Loudspeaker => openLoudspeaker(around.media, around.makeAudio, around.document);
  return {
    current: () => agent?.line() ?? null,
    userAgent({ number }, report) {
      const opened = openUserAgent(around, number, report);
      agent = opened;
      return {
        tell: opened.obey,
        close() {
          opened.close();
          if (agent === opened) agent = null;
        },
      };
    },
    leg(input, report) {
      const [on, line] = [agent, agent?.line()];
      if (!on || !line || around.media.support() !== null) {
        if (around.media.support() !== null) report({ type: 'leg.microphone', trouble: 'unsupported' });
        report({ type: 'leg.ended', end: { by: 'us', cause: line ? 'media' : 'transport', status: null, takenBy: null }, at: around.now() });
        return { tell: () => {}, close: () => {} };
      }
      const { speechId } = input;
      let isOver = false;
      const leg = openLeg({
        line,
        input,
        openMedia: (offer) =>
          openLegMedia({
            media: around.media,
            loudspeaker: speaker(),
            show: (side, stream) => around.pictures.show(speechId, side, stream),
            offer,
            report,
          }),
        other: (id) => on.legs.get(id)?.session() ?? null,
        report: (fact) => {
          if (fact.type === 'leg.ended') {
            isOver = true;
            on.legs.delete(speechId);
          }
          report(fact);
        },
      });
      if (!isOver) on.legs.set(speechId, leg);
      return { tell: leg.obey, close: leg.close };
    },
  };
}
