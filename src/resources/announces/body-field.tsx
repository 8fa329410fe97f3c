import { useRef, useState } from 'react';
import type { TextPicture } from '#models/text-pictures.ts';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { fileIssue } from '#src/components/picture-file.ts';
import RichTextField from '#src/components/rich-text/rich-text-field.tsx';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '#src/views/area/use-request.ts';

/** The text of an announcement, with pictures that are uploaded as they are chosen. */
export default function BodyField(props: FieldProps) {
  const words = useText();
  const sayProblem = useProblemText();
  const [issue, setIssue] = useState<ReturnType<typeof fileIssue>>();
  const put = useRef<(picture: TextPicture) => void>(() => {});
  const upload = useRequest('uploadAnnouncePicture', { done: (picture) => put.current(picture) });
  const add = (file: File, putIn: (picture: TextPicture) => void): void => {
    const found = fileIssue(file);
    setIssue(found);
    if (found || upload.running) return;
    put.current = putIn;
    upload.run({ files: { image: file } });
  };
  const problem = issue ? sayIssue(words, issue) : upload.problem ? sayProblem(upload.problem) : undefined;
  return <RichTextField {...props} pictures={{ add, running: upload.running, problem }} />;
}
