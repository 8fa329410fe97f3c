import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import type { ConversationsActor } from '#machines/conversations/conversations.machine.ts';
import type { Conversation } from '#models/conversation-calls.ts';
import { hasPermission } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useConversations } from '../system.ts';
import { ConversationPane } from './conversation-pane.tsx';
import { NewConversation } from './new-conversation.tsx';
import './conversations.css';

/** The other people of a conversation, by name. */
export const othersOf = ({ members }: Pick<Conversation, 'members'>, own: string): string =>
  members
    .filter(({ id }) => id !== own)
    .map(({ name }) => name)
    .join(', ');

function Line({ conversation, isShown }: { conversation: Conversation; isShown: boolean }) {
  const { t } = useText();
  const { id, title, last, unread, last_at: at } = conversation;
  const own = useProfile().id;
  return (
    <li>
      <Link to={`/conversation/${id}`} className="talk-line" aria-current={isShown ? 'page' : undefined} data-unread={unread > 0}>
        <span className="talk-line-head">
          <bdi className="talk-line-title">{title}</bdi>
          <span className="quiet small">
            <When at={at} />
          </span>
        </span>
        <bdi className="talk-line-people small">{othersOf(conversation, own) || t('areas.conversations.nobody_else')}</bdi>
        <span className="talk-line-last">
          <bdi className="quiet small">
            {last ? `${last.author_name}: ${last.text || t('areas.conversations.pictures', { count: last.pictures })}` : ''}
          </bdi>
          {unread > 0 && (
            <span className="talk-count">
              {unread}
              <span className="unseen"> {t('areas.conversations.unread', { count: unread })}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

function List({ actor, shown }: { actor: ConversationsActor; shown: string | null }) {
  const { t } = useText();
  const { list, problem, asked } = useSelector(actor, ({ context }) => context);
  const isReading = useSelector(actor, (snapshot) => snapshot.hasTag('reading'));
  if (problem && list.items.length === 0) return <Failure problem={problem} onRetry={() => actor.send({ type: 'list.reread' })} />;
  if (isReading && list.items.length === 0) return <SkeletonLines lines={6} label={t('interface.loading')} />;
  if (list.items.length === 0) return <EmptyState icon="pi-comments" text={t('areas.conversations.empty')} />;
  return (
    <>
      <ul className="talk-list" aria-label={t('areas.conversations.title')}>
        {list.items.map((one) => (
          <Line key={one.id} conversation={one} isShown={one.id === shown} />
        ))}
      </ul>
      {list.total > list.items.length && asked.limit < 100 && (
        <Button small tone="quiet" label={t('areas.conversations.more')} loading={isReading} onClick={() => actor.send({ type: 'list.more' })} />
      )}
    </>
  );
}

function Side({ actor, shown, onNew }: { actor: ConversationsActor; shown: string | null; onNew: () => void }) {
  const { t } = useText();
  const me = actorOf(useProfile());
  const of = useSelector(actor, ({ context }) => context.asked.of);
  const seesOthers = hasPermission(me, 'can_view_descendant_conversations', 'can_view_all_conversations');
  return (
    <section className="card talk-side" aria-label={t('areas.conversations.title')}>
      <header className="talk-tools">
        {hasPermission(me, 'can_create_conversations') && <Button small icon="pi-plus" label={t('areas.conversations.new')} onClick={onNew} />}
        {seesOthers && (
          <select
            className="native-select"
            aria-label={t('areas.conversations.which')}
            value={of}
            onChange={({ target }) => actor.send({ type: 'list.show', of: target.value === 'all' ? 'all' : 'own' })}
          >
            <option value="own">{t('areas.conversations.own')}</option>
            <option value="all">{t('areas.conversations.all')}</option>
          </select>
        )}
      </header>
      <List actor={actor} shown={shown} />
    </section>
  );
}

/** Conversations on one side, the one that is open on the other; a telephone shows one of the two. */
export function ConversationsPage() {
  const { t } = useText();
  const actor = useConversations();
  const navigate = useNavigate();
  const { id: inPath } = useParams();
  const [params, setParams] = useSearchParams();
  const shown = inPath ?? params.get('id');
  const begun = params.get('new');
  const [isNew, setNew] = useState(false);
  usePageTitle(t('areas.conversations.title'));
  const close = (): void => {
    setNew(false);
    if (begun !== null) setParams({}, { replace: true });
  };
  // What comes after the first screen waits while that shows a skeleton: this would wait for itself.
  if (!actor)
    return (
      <p className="quiet" role="status">
        {t('interface.loading')}
      </p>
    );
  return (
    <div className="talk" data-shown={shown === null ? 'list' : 'one'}>
      <Side actor={actor} shown={shown} onNew={() => setNew(true)} />
      {shown === null ? (
        <section className="card talk-none">
          <EmptyState icon="pi-comments" text={t('areas.conversations.choose')} />
        </section>
      ) : (
        <ConversationPane key={shown} parent={actor} id={shown} />
      )}
      {(isNew || begun !== null) && (
        <NewConversation
          isToDesk={begun === 'desk'}
          group={params.get('group')}
          onClose={close}
          onMade={(id) => {
            setNew(false);
            void navigate(`/conversation/${id}`, { replace: begun !== null });
          }}
        />
      )}
    </div>
  );
}
