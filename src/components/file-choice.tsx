import { type ReactNode, useState } from 'react';
import type { Issue } from '#models/issues.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from './button.tsx';
import { useFileDialog } from './file-dialog.tsx';
import { fileIssue } from './picture-file.ts';
import { sayIssue, useProblemText, useText } from './text.ts';

type Finding = Pick<Issue, 'rule' | 'params'>;

interface FileChoiceProps {
  /** The content types that are offered. */
  types: string;
  /** What the button says. */
  label: string;
  /** What is chosen, for those who do not see the button. */
  name: string;
  loading: boolean;
  problem: Problem | null;
  /** What is wrong with a file, as far as it can be told before it is sent: by its size, unless something else is asked. */
  judge?: (file: File) => Finding | undefined | Promise<Finding | undefined>;
  onChoose: (file: File) => void;
  /** What stands beside the button. */
  children?: ReactNode;
}

/** A button by which a file is chosen, judged and handed on; beneath it what was wrong with the file, or with what was done. */
export function FileChoice({ types, label, name, loading, problem, judge = fileIssue, onChoose, children }: FileChoiceProps) {
  const words = useText();
  const sayProblem = useProblemText();
  const [issue, setIssue] = useState<Finding>();
  const choose = async (file: File): Promise<void> => {
    const found = await judge(file);
    setIssue(found);
    if (!found) onChoose(file);
  };
  const dialog = useFileDialog(types, name, (file) => void choose(file));
  return (
    <>
      {dialog.field}
      <Button tone="plain" small icon="pi-upload" label={label} loading={loading} onClick={dialog.open} />
      {children}
      {(issue || problem) && (
        <p className="field-issue" role="alert">
          {issue ? sayIssue(words, issue) : problem && sayProblem(problem)}
        </p>
      )}
    </>
  );
}
