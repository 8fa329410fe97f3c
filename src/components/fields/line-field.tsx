import { useId } from 'react';
import type { Issue } from '#models/issues.ts';
import { TextInput } from '../text-input.tsx';
import { sayIssue, useText } from '../text.ts';
import { describedBy, FieldFrame } from './field-frame.tsx';

interface LineFieldProps {
  /** What the field is called in the draft. */
  field: string;
  label: string;
  hint: string;
  value: string;
  issue: Issue | undefined;
  required: boolean;
  inputMode: 'text' | 'numeric' | 'url';
  onChange: (value: string) => void;
}

/** One line of a dialog's form: its label, its hint, and what is wrong with it. */
export function LineField({ field, label, hint, value, issue, required, inputMode, onChange }: LineFieldProps) {
  const words = useText();
  const id = useId();
  const said = issue && sayIssue(words, issue);
  return (
    <FieldFrame id={id} path={field} label={label} hint={hint} issue={said} required={required}>
      <TextInput
        id={id}
        value={value}
        inputMode={inputMode}
        autoComplete="off"
        invalid={said !== undefined}
        aria-describedby={describedBy(id, hint, said)}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
}
