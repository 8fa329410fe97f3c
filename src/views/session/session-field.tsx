import type { ReactNode } from 'react';
import type { Issue } from '#models/issues.ts';
import { sayIssue, useText } from '#src/components/text.ts';

interface SessionFieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  issue: Issue | undefined;
  children: (described: string) => ReactNode;
}

/** A field of a page before signing in: its label, what helps, what is wrong with it. */
export function SessionField({ id, label, hint, issue, children }: SessionFieldProps) {
  const words = useText();
  return (
    <div className="session-field">
      <label htmlFor={id}>{label}</label>
      {children(`${id}-error ${id}-hint`)}
      <p id={`${id}-hint`} className="quiet small" hidden={hint === undefined}>
        {hint}
      </p>
      <p id={`${id}-error`} className="session-error" hidden={!issue}>
        {issue && sayIssue(words, issue)}
      </p>
    </div>
  );
}
