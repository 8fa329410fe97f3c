import type { ReactNode } from 'react';
import '../controls.css';
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
  /** The heading above says the same; the label is kept for screen readers. */
  labelled?: boolean | undefined;
  children: ReactNode;
}

const hintId = (id: string): string => `${id}-hint`;
const issueId = (id: string): string => `${id}-issue`;

/** What describes a control: its hint and what is wrong with it. */
export const describedBy = (id: string, hint: string | undefined, issue: string | undefined): string | undefined =>
  [hint && hintId(id), issue && issueId(id)].filter(Boolean).join(' ') || undefined;

/** Says beside a label that something has to be filled in; who hears the form hears it of the control itself. */
export function RequiredMark() {
  return (
    <span className="field-required" aria-hidden="true">
      *
    </span>
  );
}

/** The frame of one input: label above, hint and what is wrong with it below, both read out with the control. */
export function FieldFrame({ id, path, label, hint, issue, required, wide, bare, readOnly, labelled, children }: FieldFrameProps) {
  return (
    <div className="field" data-path={path} data-wide={wide} data-bare={bare} data-invalid={issue !== undefined}>
      {readOnly && <span className={labelled ? 'unseen' : 'field-label'}>{label}</span>}
      {!bare && !readOnly && (
        <label htmlFor={id} className={labelled ? 'unseen' : 'field-label'}>
          {label}
          {required && <RequiredMark />}
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
