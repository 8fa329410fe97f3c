import { type ReactNode, useId } from 'react';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';

interface TestCardProps {
  title: string;
  /** To whom the message goes. */
  to: { path: string; label: string; type: 'email' | 'tel'; value: string; change: (value: string) => void };
  send: { label: string; running: boolean; run: () => void };
  problem: Problem | null;
  /** Said when the other side has taken it; or why not, in ours and in its words. */
  outcome: { delivered: string } | { reason: string | null; saidBy: string; words: string | null } | null;
  children?: ReactNode;
}
const issuesOf = (problem: Problem | null): readonly Issue[] => (problem?.data as { issues?: readonly Issue[] } | null | undefined)?.issues ?? [];

/** A message sent through settings as they are typed, and what the other side said. */
export function TestCard({ title, to, send, problem, outcome, children }: TestCardProps) {
  const words = useText();
  const id = useId();
  const [issue] = issuesOf(problem);
  const said = issue && sayIssue(words, issue);
  return (
    <section className="card setting-card" aria-labelledby={`${id}-title`}>
      <header className="card-head">
        <h2 id={`${id}-title`}>{title}</h2>
      </header>
      <div className="setting-body">
        <p className="quiet">{words.t('areas.project-settings.test.about')}</p>
        {!issue && <ProblemNote problem={problem} />}
        <div className="test-message">
          <FieldFrame id={id} path={to.path} label={to.label} issue={said} required>
            <TextInput
              id={id}
              type={to.type}
              value={to.value}
              invalid={said !== undefined}
              aria-describedby={describedBy(id, undefined, said)}
              onChange={({ target }) => to.change(target.value)}
            />
          </FieldFrame>
          <Button tone="plain" icon="pi-send" label={send.label} loading={send.running} onClick={send.run} />
        </div>
        <div role="status">
          {outcome && 'delivered' in outcome && <p className="notice">{outcome.delivered}</p>}
          {outcome && 'reason' in outcome && (
            <div className="notice notice-bad">
              <div>
                {outcome.reason && <p>{outcome.reason}</p>}
                {outcome.words && (
                  <p className="small">
                    {outcome.saidBy} <q dir="auto">{outcome.words}</q>
                  </p>
                )}
              </div>
            </div>
          )}
        </div>
        {children}
      </div>
    </section>
  );
}
