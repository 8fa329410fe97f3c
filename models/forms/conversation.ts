import { newConversation, type Recipient } from '../conversation-calls.ts';
import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import type { TextPicture } from '../text-pictures.ts';

type Chosen = Pick<Recipient, 'id' | 'name'>;
interface Draft {
  title: string;
  recipients: readonly Chosen[];
  text: string;
  /** Uploaded already. */
  pictures: readonly TextPicture[];
}

/** Begins a conversation. `id` makes one that is sent twice one; `recipients` are those it is offered with. */
export const conversationForm = defineForm({
  name: 'conversation',
  call: 'createConversation',
  start: ({ recipients }: { id: string; recipients: readonly Chosen[] }): Draft => ({ title: '', recipients, text: '', pictures: [] }),
  read: ({ title, recipients, text, pictures }, _base, { id }) => {
    const read = newConversation.safeParse({
      title,
      text,
      recipients: recipients.map((one) => one.id),
      pictures: pictures.map((one) => one.id),
      client_id: id,
    });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  leave: { text: 'interface.leave_question', approve: 'interface.leave' },
});
