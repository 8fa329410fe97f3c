import { useSelector } from '@xstate/react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ConversationActor } from '#machines/conversations/conversation.machine.ts';
import { conversationOf, type ConversationsActor } from '#machines/conversations/conversations.machine.ts';
import type { Outgoing } from '#machines/conversations/outgoing.ts';
import type { Conversation, Message } from '#models/conversation-calls.ts';
import { hasPermission } from '#models/permissions.ts';
import type { TextPicture } from '#models/text-pictures.ts';
import { Button } from '#src/components/button.tsx';
import { Failure, ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { useConfirm } from '../confirm.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { Composer } from './composer.tsx';

/** Opens a conversation for as long as its page stands. */
function useConversation(parent: ConversationsActor, id: string): ConversationActor | undefined {
  useEffect(() => {
    parent.send({ type: 'conversation.open', id });
    return () => parent.send({ type: 'conversation.close', id });
  }, [parent, id]);
  return useSelector(parent, (snapshot) => conversationOf(snapshot, id));
}

/** Tells up to where the person has seen the messages, while they look at the page. */
function useSeen(actor: ConversationActor | undefined, last: number, isMember: boolean): void {
  useEffect(() => {
    if (!actor || !isMember || last === 0) return;
    const see = (): void => {
      if (document.visibilityState === 'visible') actor.send({ type: 'messages.seen', seq: last });
    };
    see();
    document.addEventListener('visibilitychange', see);
    return () => document.removeEventListener('visibilitychange', see);
  }, [actor, last, isMember]);
}

const extent = ({ width, height }: TextPicture): { width: number; height: number } => {
  const factor = Math.min(1, 320 / width, 240 / height);
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
};

/** The pictures of a message; pressed, one is shown whole. */
function Pictures({ pictures, by }: { pictures: readonly TextPicture[]; by: string }) {
  const { t } = useText();
  if (pictures.length === 0) return null;
  return (
    <ul className="talk-pictures">
      {pictures.map((picture, at) => (
        <li key={picture.id}>
          <a href={picture.url} target="_blank" rel="noreferrer">
            <img
              src={picture.url}
              {...extent(picture)}
              loading="lazy"
              alt={t('areas.conversations.picture_of', { name: by, number: at + 1, total: pictures.length })}
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Words({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p className="talk-text" dir="auto">
      {text}
    </p>
  );
}

function Bubble({ message, follows, isOwn, readBy }: { message: Message; follows: boolean; isOwn: boolean; readBy: string | null }) {
  return (
    <li className="talk-message" data-own={isOwn} data-follows={follows}>
      {!follows && !isOwn && <bdi className="talk-author small">{message.author_name}</bdi>}
      <Pictures pictures={message.pictures} by={message.author_name} />
      <Words text={message.text} />
      <span className="quiet small">
        <When at={message.created_at} />
        {readBy && ` · ${readBy}`}
      </span>
    </li>
  );
}

function Waiting({ one, parent }: { one: Outgoing; parent: ConversationsActor }) {
  const { t } = useText();
  const about = { client_id: one.client_id };
  return (
    <li className="talk-message" data-own data-waiting>
      <Pictures pictures={one.pictures} by={t('areas.conversations.you')} />
      <Words text={one.text} />
      {one.problem ? (
        <span className="talk-refused small" role="alert">
          <ProblemText problem={one.problem} />
          <button type="button" className="link-button" onClick={() => parent.send({ type: 'message.retry', ...about })}>
            {t('areas.conversations.again')}
          </button>
          <button type="button" className="link-button" onClick={() => parent.send({ type: 'message.discard', ...about })}>
            {t('areas.conversations.discard')}
          </button>
        </span>
      ) : (
        <span className="quiet small" role="status">
          {t('areas.conversations.waiting')}
        </span>
      )}
    </li>
  );
}

/** How many of the others have read one's last message. */
function useReadBy(conversation: Conversation | null, own: string): (seq: number) => string | null {
  const { t } = useText();
  const others = conversation?.members.filter(({ id }) => id !== own) ?? [];
  return (seq) => {
    const count = others.filter(({ read_seq: read }) => read >= seq).length;
    if (others.length === 0) return null;
    if (count === 0) return t('areas.conversations.sent');
    return others.length === 1 ? t('areas.conversations.read') : t('areas.conversations.read_by', { count, total: others.length });
  };
}

/** Older messages are read before the first one is reached, px. */
const nearBeginning = 200;

/** Keeps the end in sight as messages come, and the place where one reads as older ones are put before it. */
function useScroll(messages: readonly Message[], waiting: number, onBeginning: () => void) {
  const box = useRef<HTMLDivElement>(null);
  // `end` is where the page is scrolled to when its end is in sight.
  const before = useRef({ first: 0, height: 0, top: 0, end: 0 });
  const first = messages[0]?.seq ?? 0;
  const last = messages.at(-1)?.seq ?? 0;
  useLayoutEffect(() => {
    const here = box.current;
    if (!here) return;
    const { first: was, height, end } = before.current;
    // The place itself is asked, not the last event: what was scrolled in this moment has not been told yet.
    if (was > first && first > 0) here.scrollTop += here.scrollHeight - height;
    else if (end - here.scrollTop < 40) here.scrollTop = here.scrollHeight;
    before.current = { first, height: here.scrollHeight, top: here.scrollTop, end: here.scrollHeight - here.clientHeight };
  }, [first, last, waiting]);
  const onScroll = (): void => {
    const here = box.current;
    if (!here) return;
    const { scrollTop, scrollHeight, clientHeight } = here;
    // Where nothing can be scrolled, only the button asks for more.
    if (scrollTop < nearBeginning && scrollTop < before.current.top) onBeginning();
    before.current.top = scrollTop;
    before.current.end = scrollHeight - clientHeight;
  };
  return { box, onScroll };
}

function Messages({ parent, actor, conversation }: { parent: ConversationsActor; actor: ConversationActor; conversation: Conversation | null }) {
  const { t } = useText();
  const own = useProfile().id;
  const { id, messages, hasOlder, problem } = useSelector(actor, ({ context }) => context);
  const isOpening = useSelector(actor, (snapshot) => snapshot.hasTag('opening'));
  const isReadingOlder = useSelector(actor, (snapshot) => snapshot.hasTag('older'));
  const outgoing = useSelector(parent, ({ context }) => context.outgoing);
  const arrived = new Set(messages.map(({ client_id }) => client_id));
  const waiting = outgoing.filter((one) => one.conversation === id && !arrived.has(one.client_id));
  const readBy = useReadBy(conversation, own);
  const { box, onScroll } = useScroll(messages, waiting.length, () => {
    if (hasOlder === 'yes' && !isReadingOlder) actor.send({ type: 'messages.older' });
  });
  const lastOwn = messages.findLast(({ author_id: author }) => author === own)?.seq;
  useSeen(actor, messages.at(-1)?.seq ?? 0, conversation?.is_member ?? false);
  if (problem && messages.length === 0) return <Failure problem={problem} onRetry={() => actor.send({ type: 'conversation.retry' })} />;
  if (isOpening && messages.length === 0) return <SkeletonLines lines={6} label={t('interface.loading')} />;
  return (
    <div className="talk-scroll" ref={box} onScroll={onScroll} tabIndex={0} role="log" aria-label={t('areas.conversations.messages')}>
      {hasOlder === 'yes' && (
        <Button
          small
          tone="quiet"
          label={t('areas.conversations.older')}
          loading={isReadingOlder}
          onClick={() => actor.send({ type: 'messages.older' })}
        />
      )}
      <ul className="talk-messages">
        {messages.map((message, at) => (
          <Bubble
            key={message.id}
            message={message}
            isOwn={message.author_id === own}
            follows={messages[at - 1]?.author_id === message.author_id && message.author_id !== null}
            readBy={message.seq === lastOwn ? readBy(message.seq) : null}
          />
        ))}
        {waiting.map((one) => (
          <Waiting key={one.client_id} one={one} parent={parent} />
        ))}
      </ul>
    </div>
  );
}

/** On a phone the list is another page. */
function BackLink() {
  const { t } = useText();
  return (
    <Link to="/conversations" className="icon-button talk-back" aria-label={t('areas.conversations.back')}>
      <i className="pi pi-arrow-left" aria-hidden="true" />
    </Link>
  );
}

function Head({ conversation }: { conversation: Conversation }) {
  const { t } = useText();
  const profile = useProfile();
  const navigate = useNavigate();
  const ask = useConfirm();
  const removal = useRequest('deleteConversation', { done: () => void navigate('/conversations', { replace: true }) });
  const { id, title, members } = conversation;
  const remove = async (): Promise<void> => {
    const approved = await ask({
      title: { key: 'areas.conversations.delete' },
      text: { key: 'areas.conversations.delete_question', params: { title } },
      approve: { key: 'areas.conversations.delete' },
      danger: true,
    });
    if (approved) removal.run({ params: { id } });
  };
  return (
    <header className="talk-head">
      <BackLink />
      <div className="talk-head-words">
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <bdi className="quiet small">
          {members.map((member) => (member.id === profile.id ? t('areas.conversations.you') : member.name)).join(', ')}
        </bdi>
        {removal.problem && <ProblemText problem={removal.problem} />}
      </div>
      {hasPermission(actorOf(profile), 'can_delete_conversations') && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('areas.conversations.delete')}
          disabled={removal.running}
          onClick={() => void remove()}
        >
          <i className="pi pi-trash" aria-hidden="true" />
        </button>
      )}
    </header>
  );
}

/** One conversation: who takes part, what was written, and where one writes. */
export function ConversationPane({ parent, id }: { parent: ConversationsActor; id: string }) {
  const { t } = useText();
  const me = actorOf(useProfile());
  const actor = useConversation(parent, id);
  const conversation = useSelector(actor, (snapshot) => snapshot?.context.conversation ?? null);
  const mayWrite = conversation?.is_member === true && hasPermission(me, 'can_create_conversation_messages');
  return (
    <section className="card talk-pane" aria-label={conversation?.title ?? t('areas.conversations.title')}>
      {conversation ? <Head conversation={conversation} /> : <BackLink />}
      {actor ? <Messages parent={parent} actor={actor} conversation={conversation} /> : <SkeletonLines lines={6} label={t('interface.loading')} />}
      {mayWrite && <Composer parent={parent} id={id} />}
      {conversation && !mayWrite && <p className="talk-looking quiet small">{t('areas.conversations.looking_on')}</p>}
    </section>
  );
}
