import { useId, useState } from 'react';
import type { Recipient } from '#models/conversation-calls.ts';
import { conversationForm } from '#models/forms/conversation.ts';
import type { Issue } from '#models/issues.ts';
import { Button } from '#src/components/button.tsx';
import { Chip } from '#src/components/chips.tsx';
import { LineField } from '#src/components/fields/line-field.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Failure, ProblemText } from '#src/components/problem-text.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { TextArea, TextInput } from '#src/components/text-input.tsx';
import { useReading } from '../area/use-reading.ts';
import { useServices } from '../system.ts';
import { type FormOf, issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';
import { AttachButton, Attached, onPastedPicture, PictureProblem, usePictureUpload } from './attached-pictures.tsx';

interface Props {
  /** It is meant for the front desk. */
  isToDesk: boolean;
  /** It is meant for the people of this group. */
  group: string | null;
  onClose: () => void;
  onMade: (id: string) => void;
}
const none: readonly Recipient[] = [];

/** People one may write to whose names fit, read anew as one types. */
function useFound(search: string, group: string | null) {
  const query = { ...(search && { search }), ...(group && search === '' && { group }) };
  const { last, ...reading } = useReading('conversationRecipients', { query });
  return { ...reading, found: last ?? none };
}

/** Who is offered from the start: the desk, or the people of the group. */
function useOffered({ isToDesk, group }: Pick<Props, 'isToDesk' | 'group'>): readonly Recipient[] {
  const query = isToDesk ? { desk: 'yes' as const } : group ? { group } : null;
  return useReading('conversationRecipients', query && { query }).answer ?? none;
}

type Chosen = Pick<Recipient, 'id' | 'name'>;

function Recipients({
  chosen,
  group,
  issue,
  onChange,
}: {
  chosen: readonly Chosen[];
  group: string | null;
  issue: string | null;
  onChange: (next: readonly Chosen[]) => void;
}) {
  const { t } = useText();
  const searchId = useId();
  const [search, setSearch] = useState('');
  const { found, running, problem, reload } = useFound(search.trim(), group);
  const isChosen = ({ id }: Chosen): boolean => chosen.some((one) => one.id === id);
  const toggle = ({ id, name }: Chosen): void => onChange(isChosen({ id, name }) ? chosen.filter((one) => one.id !== id) : [...chosen, { id, name }]);
  return (
    <div className="field">
      <label htmlFor={searchId} className="field-label">
        {t('areas.conversations.recipients')}
        <span className="field-required" aria-hidden="true">
          *
        </span>
      </label>
      {chosen.length > 0 && (
        <ul className="talk-chosen" aria-label={t('areas.conversations.chosen')}>
          {chosen.map((one) => (
            <li key={one.id}>
              <Chip removeLabel={t('areas.conversations.remove', { name: one.name })} onRemove={() => toggle(one)}>
                <bdi>{one.name}</bdi>
              </Chip>
            </li>
          ))}
        </ul>
      )}
      <TextInput
        id={searchId}
        type="search"
        value={search}
        invalid={issue !== null}
        placeholder={t('areas.conversations.search')}
        onChange={({ target }) => setSearch(target.value)}
      />
      {problem ? (
        <Failure problem={problem} onRetry={reload} />
      ) : (
        <ul className="talk-found" aria-busy={running}>
          {found.map((one) => (
            <li key={one.id}>
              <label className="field-flag">
                <input type="checkbox" className="check" checked={isChosen(one)} onChange={() => toggle(one)} />
                <span>
                  <bdi>{one.name}</bdi>
                  {one.is_desk && <span className="tag talk-desk">{t('areas.conversations.desk')}</span>}
                  {one.place && <span className="quiet small"> {one.place}</span>}
                </span>
              </label>
            </li>
          ))}
          {found.length === 0 && !running && <li className="quiet small">{t('areas.conversations.nobody')}</li>}
        </ul>
      )}
      {issue && (
        <p className="field-issue" role="alert">
          {issue}
        </p>
      )}
    </div>
  );
}

/** What the conversation begins with: words, pictures, or both. */
function FirstMessage({
  draft: { text, pictures },
  issue,
  upload,
  onChange,
}: {
  draft: FormOf<typeof conversationForm>['draft'];
  issue: Issue | undefined;
  upload: ReturnType<typeof usePictureUpload>;
  onChange: FormOf<typeof conversationForm>['change'];
}) {
  const words = useText();
  const { t } = words;
  const textId = useId();
  const issueText = issue?.rule === 'required' ? t('areas.conversations.empty_message') : issue && sayIssue(words, issue);
  return (
    <div className="field">
      <label htmlFor={textId} className="field-label">
        {t('areas.conversations.message')}
      </label>
      <TextArea
        id={textId}
        rows={4}
        dir="auto"
        invalid={issue !== undefined}
        value={text}
        onChange={({ target }) => onChange({ text: target.value })}
        onPaste={onPastedPicture(upload.add)}
      />
      {issueText && (
        <p className="field-issue" role="alert">
          {issueText}
        </p>
      )}
      <Attached pictures={pictures} onRemove={(id) => onChange({ pictures: pictures.filter((one) => one.id !== id) })} />
      <AttachButton labelled count={pictures.length} running={upload.running} onChoose={upload.add} />
      <PictureProblem text={upload.problem} />
    </div>
  );
}

/** Begins a conversation: to whom, about what, and the first message. */
export function NewConversation({ isToDesk, group, onClose, onMade }: Props) {
  const { t } = useText();
  const { freshId } = useServices();
  const [id] = useState(freshId);
  const offered = useOffered({ isToDesk, group });
  const form = useForm(conversationForm, { id, recipients: offered.map((one) => ({ id: one.id, name: one.name })) }, onMade);
  const { draft, issues } = form;
  const upload = usePictureUpload(id, (picture) => form.change({ pictures: [...draft.pictures, picture] }));
  const submit = useSubmit(form);
  const close = (): void => form.leave(onClose);
  const footer = (
    <>
      <Button label={t('interface.cancel')} tone="plain" onClick={close} />
      <Button
        type="submit"
        form="new-conversation"
        icon="pi-send"
        label={t('areas.conversations.send')}
        loading={form.running}
        disabled={upload.running}
      />
    </>
  );
  return (
    <Modal title={t(isToDesk ? 'areas.conversations.to_desk' : 'areas.conversations.new')} width="wide" onDismiss={close} footer={footer}>
      <form id="new-conversation" className="stack" {...submit}>
        <Recipients
          chosen={draft.recipients}
          group={group}
          issue={issueOf(issues, 'recipients') ? t('areas.conversations.choose_recipient') : null}
          onChange={(recipients) => form.change({ recipients })}
        />
        <LineField
          field="title"
          label={t('areas.conversations.subject')}
          hint={t('areas.conversations.subject_hint')}
          value={draft.title}
          issue={issueOf(issues, 'title')}
          required
          inputMode="text"
          onChange={(title) => form.change({ title })}
        />
        <FirstMessage draft={draft} issue={issueOf(issues, 'text') ?? issueOf(issues, 'pictures')} upload={upload} onChange={form.change} />
        {form.problem && <ProblemText problem={form.problem} />}
      </form>
    </Modal>
  );
}
