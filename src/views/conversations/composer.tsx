import { useSelector } from '@xstate/react';
import { type FormEvent, type KeyboardEvent, useId } from 'react';
import type { ConversationsActor } from '#machines/conversations/conversations.machine.ts';
import { draftIn } from '#machines/conversations/outgoing.ts';
import { longestMessage } from '#models/conversation-calls.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { TextArea } from '#src/components/text-input.tsx';
import { useIsApart, useServices } from '../system.ts';
import { AttachButton, Attached, onPastedPicture, PictureProblem, usePictureUpload } from './attached-pictures.tsx';

/** Where one writes: Enter sends, Shift and Enter begins a line. What was typed stays over a reload. */
export function Composer({ parent, id }: { parent: ConversationsActor; id: string }) {
  const { t } = useText();
  const { freshId, now } = useServices();
  const isApart = useIsApart();
  const hintId = useId();
  const { text, pictures: attached } = useSelector(parent, ({ context }) => draftIn(context, id));
  const pictures = usePictureUpload(id, (picture, conversation) => parent.send({ type: 'picture.attach', conversation, picture }));
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
      <AttachButton count={attached.length} running={pictures.running} onChoose={pictures.add} />
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
        onPaste={onPastedPicture(pictures.add)}
      />
      <Button type="submit" icon="pi-send" label={t('areas.conversations.send')} disabled={!canSend} />
      <PictureProblem text={pictures.problem} />
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
