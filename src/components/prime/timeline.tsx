import { Timeline } from 'primereact/timeline';
import type { ReactNode } from 'react';
import 'primereact/resources/themes/lara-light-blue/theme.css?only=timeline';
import { When } from '../when.tsx';
import { Prime } from './prime.tsx';
import './timeline.css';

export interface TimelineStep {
  key: string;
  icon: `pi-${string}`;
  tone: 'bad' | 'warn' | 'info' | 'good' | 'none';
  /** When it happened, in ISO 8601; null for what is yet to happen, which is drawn quietly. */
  at: string | null;
  content: ReactNode;
}
export interface TimelineProps {
  /** What is told, for those who do not see it. */
  label: string;
  steps: readonly TimelineStep[];
}

/** PrimeReact draws blocks; what they are is a list. */
const asList = { root: { role: 'list' }, event: { role: 'listitem' }, separator: { 'aria-hidden': true } } as const;

/** What happened, one below the other, by PrimeReact's Timeline. */
export default function PrimeTimeline({ label, steps }: TimelineProps) {
  return (
    <Prime>
      <Timeline
        className="timeline"
        aria-label={label}
        pt={asList}
        value={[...steps]}
        dataKey="key"
        marker={({ icon, tone, at }: TimelineStep) => (
          <span className="timeline-mark" data-tone={at === null ? 'none' : tone}>
            <i className={`pi ${icon}`} />
          </span>
        )}
        content={({ at, content }: TimelineStep) => (
          <div className="timeline-step" data-done={at !== null}>
            {content}
            {at !== null && (
              <span className="quiet small">
                <When at={at} exact />
              </span>
            )}
          </div>
        )}
      />
    </Prime>
  );
}
