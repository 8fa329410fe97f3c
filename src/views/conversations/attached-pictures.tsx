import { type ClipboardEvent, useRef, useState } from 'react';
import { mostMessagePictures, type TextPicture } from '#models/text-pictures.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { fileIssue, pictureTypes } from '#src/components/picture-file.ts';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useIsApart } from '../system.ts';

/** Uploads a picture for a message, one at a time; `attach` gets it together with the message it was chosen for. */
export function usePictureUpload(message: string, attach: (picture: TextPicture, message: string) => void) {
  const words = useText();
  const sayProblem = useProblemText();
  const [issue, setIssue] = useState<ReturnType<typeof fileIssue>>();
  // Another message may be on the page by the time it is stored.
  const chosenFor = useRef(message);
  const upload = useRequest('uploadMessagePicture', { done: (picture) => attach(picture, chosenFor.current) });
  const add = (file: File): void => {
    if (upload.running) return;
    const found = fileIssue(file);
    setIssue(found);
    if (found) return;
    chosenFor.current = message;
    upload.run({ files: { image: file } });
  };
  const problem = issue ? sayIssue(words, issue) : upload.problem ? sayProblem(upload.problem) : null;
  return { add, running: upload.running, problem };
}

/** Takes a picture from the clipboard; text from elsewhere may bring a picture of itself along, and stays text. */
export const onPastedPicture = (add: (file: File) => void) => (event: ClipboardEvent) => {
  const [file] = event.clipboardData.files;
  if (!file || event.clipboardData.getData('text/plain') !== '') return;
  event.preventDefault();
  add(file);
};

/** Why a picture was not attached. */
export function PictureProblem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <span className="field-issue small" role="alert">
      {text}
    </span>
  );
}

/** The pictures a message will have, each with a button that takes it off. */
export function Attached({ pictures, onRemove }: { pictures: readonly TextPicture[]; onRemove: (id: string) => void }) {
  const { t } = useText();
  if (pictures.length === 0) return null;
  return (
    <ul className="talk-attached" aria-label={t('areas.conversations.attached')}>
      {pictures.map(({ id, url }, at) => (
        <li key={id}>
          <img src={url} alt={t('areas.conversations.attached_picture', { number: at + 1 })} />
          <button type="button" className="icon-button" aria-label={t('areas.conversations.detach', { number: at + 1 })} onClick={() => onRemove(id)}>
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Chooses a picture for a message that has so many already; none without a connection. */
export function AttachButton({
  count,
  running,
  labelled = false,
  onChoose,
}: {
  count: number;
  running: boolean;
  /** In words where there is room for them. */
  labelled?: boolean;
  onChoose: (file: File) => void;
}) {
  const { t } = useText();
  const isApart = useIsApart();
  const label = t('areas.conversations.attach');
  const disabled = isApart || running || count >= mostMessagePictures;
  const dialog = useFileDialog(pictureTypes, t('areas.conversations.choose_picture'), onChoose);
  return (
    <>
      {dialog.field}
      {labelled ? (
        <Button
          small
          tone="plain"
          icon="pi-image"
          className="self-start talk-attach-words"
          label={label}
          loading={running}
          disabled={disabled}
          onClick={dialog.open}
        />
      ) : (
        <button
          type="button"
          className="icon-button talk-attach"
          title={label}
          aria-label={label}
          aria-busy={running}
          disabled={disabled}
          onClick={dialog.open}
        >
          <i className={`pi ${running ? 'pi-spin pi-spinner' : 'pi-image'}`} aria-hidden="true" />
        </button>
      )}
    </>
  );
}
