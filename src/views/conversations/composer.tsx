import { useSelector } from '@xstate/react';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import type { ConversationsActor } from '#machines/conversations/conversations.machine.ts';
import { draftIn } from '#machines/conversations/outgoing.ts';
import { longestMessage } from '#models/conversation-calls.ts';
import { mostMessagePictures, type TextPicture } from '#models/text-pictures.ts';
import { Button } from '#src/components/button.tsx';
import { fileIssue, pictureTypes } from '#src/components/picture-file.ts';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import { TextArea } from '#src/components/text-input.tsx';
import { useRequest } from '../area/use-request.ts';
import { useIsApart, useServices } from '../system.ts';

/** Uploads a picture and attaches it to what is being written. */
function usePictures(parent: ConversationsActor, id: string) {
  const words = useText();
  const sayProblem = useProblemText();
  const [issue, setIssue] = useState<ReturnType<typeof fileIssue>>();
  // Another conversation may be shown by the time it is stored.
  const conversation = useRef(id);
  const upload = useRequest('uploadMessagePicture', {
    done: (picture) => parent.send({ type: 'picture.attach', conversation: conversation.current, picture }),
  });
  const add = (file: File | undefined): void => {
    if (!file || upload.running) return;
    const found = fileIssue(file);
    setIssue(found);
    if (found) return;
    conversation.current = id;
    upload.run({ files: { image: file } });
  };
  const problem = issue ? sayIssue(words, issue) : upload.problem ? sayProblem(upload.problem) : null;
  return { add, running: upload.running, problem };
}

function Attached({ pictures, onRemove }: { pictures: readonly TextPicture[]; onRemove: (id: string) => void }) {
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

/** Chooses a picture for a message. */
function AttachButton({ disabled, running, onChoose }: { disabled: boolean; running: boolean; onChoose: (file: File | undefined) => void }) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={pictureTypes}
        hidden
        aria-label={t('areas.conversations.choose_picture')}
        onChange={({ target }) => {
          onChoose(target.files?.[0]);
          target.value = '';
        }}
      />
      <button
        type="button"
        className="icon-button talk-attach"
        title={t('areas.conversations.attach')}
        aria-label={t('areas.conversations.attach')}
        aria-busy={running}
        disabled={disabled || running}
        onClick={() => input.current?.click()}
      >
        <i className={`pi ${running ? 'pi-spin pi-spinner' : 'pi-image'}`} aria-hidden="true" />
      </button>
    </>
  );
}

/** Where one writes: Enter sends, Shift and Enter begins a line. What was typed stays over a reload. */
export function Composer({ parent, id }: { parent: ConversationsActor; id: string }) {
  const { t } = useText();
  const { freshId, now } = useServices();
  const isApart = useIsApart();
  const hintId = useId();
  const { text, pictures: attached } = useSelector(parent, ({ context }) => draftIn(context, id));
  const pictures = usePictures(parent, id);
  const tooLong = Array.from(text.trim()).length > longestMessage;
  const canSend = (text.trim() !== '' || attached.length > 0) && !tooLong && !pictures.running;
  const send = (): void => {
    if (canSend) parent.send({ type: 'message.send', conversation: id, client_id: freshId(), text: text.trim(), pictures: attached, at: now() });
  };
  const onKey = (event: KeyboardEvent): void => {
    // While a word is being put together, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    <form className="talk-composer" onSubmit={submit}>
      <Attached pictures={attached} onRemove={(picture) => parent.send({ type: 'picture.detach', conversation: id, id: picture })} />
      <AttachButton disabled={isApart || attached.length >= mostMessagePictures} running={pictures.running} onChoose={pictures.add} />
      <TextArea
        rows={2}
        dir="auto"
        aria-label={t('areas.conversations.message')}
        aria-describedby={hintId}
        placeholder={t('areas.conversations.message')}
        invalid={tooLong}
        value={text}
        onChange={({ target }) => parent.send({ type: 'draft.change', conversation: id, text: target.value })}
        onKeyDown={onKey}
        onPaste={(event) => {
          const [file] = event.clipboardData.files;
          // Text from elsewhere may bring a picture of itself along.
          if (!file || event.clipboardData.getData('text/plain') !== '') return;
          event.preventDefault();
          pictures.add(file);
        }}
      />
      <Button type="submit" icon="pi-send" label={t('areas.conversations.send')} disabled={!canSend} />
      {pictures.problem && (
        <span className="field-issue small" role="alert">
          {pictures.problem}
        </span>
      )}
      <span id={hintId} className={tooLong ? 'field-issue small' : 'quiet small'}>
        {tooLong
          ? t('areas.conversations.too_long', { max: longestMessage })
          : isApart
            ? t('areas.conversations.apart')
            : t('areas.conversations.keys')}
      </span>
    </form>
  );
}
