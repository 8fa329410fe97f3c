import type { ReactNode } from 'react';
import './fields.css';

interface FieldFrameProps {
  id: string;
  path: string;
  label: string;
  hint?: string | undefined;
  issue?: string | undefined;
  required: boolean;
  wide?: boolean | undefined;
  /** The control says its label itself (a switch beside its words, a group of boxes). */
  bare?: boolean | undefined;
  /** Nothing is typed here: the label names a text, no control. */
  readOnly?: boolean | undefined;
  children: ReactNode;
}

export const hintId = (id: string): string => `${id}-hint`;
export const issueId = (id: string): string => `${id}-issue`;

/** What describes a control: its hint and what is wrong with it. */
export const describedBy = (id: string, hint: string | undefined, issue: string | undefined): string | undefined =>
  [hint && hintId(id), issue && issueId(id)].filter(Boolean).join(' ') || undefined;

/** The frame of one input: label above, hint and what is wrong with it below, both read out with the control. */
export function FieldFrame({ id, path, label, hint, issue, required, wide, bare, readOnly, children }: FieldFrameProps) {
  return (
    <div className="field" data-path={path} data-wide={wide} data-bare={bare} data-invalid={issue !== undefined}>
      {readOnly && <span className="field-label">{label}</span>}
      {!bare && !readOnly && (
        <label htmlFor={id} className="field-label">
          {label}
          {required && (
            <span className="field-required" aria-hidden="true">
              *
            </span>
          )}
        </label>
      )}
      {children}
      {issue && (
        <p id={issueId(id)} className="field-issue">
          {issue}
        </p>
      )}
      {hint && (
        <p id={hintId(id)} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
