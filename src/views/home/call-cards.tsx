import { useSelector } from '@xstate/react';
import { useEffect } from 'react';
import { contactName } from '#machines/phone/contacts/contact-groups.ts';
import type { ContactsActor } from '#machines/phone/contacts/contacts.machine.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import type { Contact, RecentCall } from '#machines/phone/ports.ts';
import { farSide, missedCalls } from '#machines/phone/recents/recent-calls.ts';
import type { RecentsActor } from '#machines/phone/recents/recents.machine.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { CallButtons } from '../phone/call-buttons.tsx';
import { statusKeyOf, useFace } from '../phone/call-texts.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { MessageHome } from '../phone/message-home.tsx';
import { useOutcome } from '../phone/recent-texts.ts';
import { useCalls, useDial, useReady } from '../phone/use-phone.ts';
import { useProfile } from '../profile-of.ts';
import { useIsOutdated } from '../system.ts';
import { CallPicture } from './call-picture.tsx';
import { HomeCard } from './home-card.tsx';

/** So many rows a card has at most. */
const most = 6;

/** Calls a number from a card; not while there is no line, and never one's own. */
function useCalling(phone: PhoneActor) {
  const dial = useDial(phone);
  const ready = useReady(phone);
  const own = useProfile().profile.sip_number?.number;
  return { own, onDial: dial, isDisabled: (number: string): boolean => !ready || number === own };
}

function useRecent(actor: RecentsActor) {
  useEffect(() => actor.send({ type: 'recents.open' }), [actor]);
  return {
    calls: useSelector(actor, ({ context }) => context.calls),
    loading: useSelector(actor, (snapshot) => snapshot.hasTag('reading')),
    problem: useSelector(actor, ({ context }) => context.problem),
    reload: () => actor.send({ type: 'recents.refresh' }),
  };
}

function Waiting({ call }: { call: CallMirror }) {
  const { t } = useText();
  const { title, lines } = useFace(call);
  return (
    <div className="home-row" data-missed="false">
      <div className="home-what">
        <span>{title}</span>
        <span className="quiet small">{lines.join(' · ')}</span>
      </div>
      <span className="tag tag-warn home-aside">{t(statusKeyOf(call))}</span>
    </div>
  );
}

function Past({ call, calling }: { call: RecentCall; calling: ReturnType<typeof useCalling> }) {
  const { name, number } = farSide(call);
  const outcome = useOutcome(call);
  return (
    <div className="home-row">
      {call.picture && <CallPicture url={call.picture} name={name ?? number} />}
      <div className="home-what grow">
        <span>{name ?? number}</span>
        <span className="quiet small">
          <When at={new Date(call.at).toISOString()} /> · {outcome}
        </span>
      </div>
      <CallButtons number={number} name={name ?? number} disabled={calling.isDisabled(number)} onDial={calling.onDial}>
        <MessageHome call={call} />
      </CallButtons>
    </div>
  );
}

/** Who waits at the desk, and whom nobody has taken or called back since. */
export function CallsCard({ phone, actor }: { phone: PhoneActor; actor: RecentsActor }) {
  const { t } = useText();
  const calling = useCalling(phone);
  const { calls, ...reading } = useRecent(actor);
  const waiting = useCalls(phone).filter(({ status, takenBy, isBusy }) => status !== 'destroyed' && takenBy === null && !isBusy);
  const rows = [
    ...waiting.map((call) => ({ id: call.speechId, waiting: call, past: null })),
    ...missedCalls(calls).map((call) => ({ id: call.id, waiting: null, past: call })),
  ].slice(0, most);
  return (
    <HomeCard
      title={t('home.calls.title')}
      icon="pi-phone"
      answer={{ ...reading, rows }}
      empty={t('home.calls.quiet')}
      emptyIcon="pi-check-circle"
      lines={1}
      tall
    >
      {({ waiting: call, past }) => (call ? <Waiting call={call} /> : past && <Past call={past} calling={calling} />)}
    </HomeCard>
  );
}

/** The calls of one's own number, newest first. */
export function RecentCard({ phone, actor }: { phone: PhoneActor; actor: RecentsActor }) {
  const { t } = useText();
  const calling = useCalling(phone);
  const { calls, ...reading } = useRecent(actor);
  return (
    <HomeCard
      title={t('home.recent.title')}
      icon="pi-history"
      answer={{ ...reading, rows: calls.slice(0, most) }}
      empty={t('home.recent.empty')}
      lines={3}
      tall
    >
      {(call) => <Past call={call} calling={calling} />}
    </HomeCard>
  );
}

/** What was written down about calls lately, by whoever had the shift. */
export function NotesCard({ actor }: { actor: RecentsActor }) {
  const { t } = useText();
  const { calls, ...reading } = useRecent(actor);
  const noted = calls.filter(({ note }) => note !== null && note !== '').slice(0, most);
  if (noted.length === 0) return null;
  return (
    <HomeCard title={t('home.notes.title')} icon="pi-pencil" answer={{ ...reading, rows: noted }} empty="" lines={noted.length} tall>
      {(call) => (
        <div className="home-row">
          <div className="home-note">
            <span>{call.note}</span>
            <span className="quiet small">
              {farSide(call).name ?? farSide(call).number} · <When at={new Date(call.at).toISOString()} />
            </span>
          </div>
        </div>
      )}
    </HomeCard>
  );
}

/** Whom a card is about: those of the desk, or the people one shares a home with. */
const circles = {
  colleagues: ({ title, user, isReachable }: Contact) => title !== null && user !== null && isReachable !== false,
  people: (contact: Contact) => contact.user !== null,
} as const;

/** People one may call, those that can be reached first. */
export function PeopleCard({ phone, actor, who }: { phone: PhoneActor; actor: ContactsActor; who: keyof typeof circles }) {
  const { t } = useText();
  const { own, isDisabled, onDial } = useCalling(phone);
  const isPast = useIsOutdated();
  useEffect(() => actor.send({ type: 'contacts.open' }), [actor]);
  const { contacts, problem } = useSelector(actor, ({ context }) => context);
  const loading = useSelector(actor, (snapshot) => snapshot.hasTag('reading'));
  const rows = contacts
    .filter((contact) => contact.number !== own && circles[who](contact))
    .toSorted((one, other) => Number(other.isReachable === true) - Number(one.isReachable === true))
    .slice(0, most)
    .map((contact) => ({ id: contact.number, ...contact, user: contact.user }));
  if (who === 'people' && rows.length === 0) return null;
  return (
    <HomeCard
      title={t(`home.${who}.title`)}
      icon="pi-users"
      answer={{ loading, rows, problem, reload: () => actor.send({ type: 'contacts.refresh' }) }}
      empty={t('home.colleagues.empty')}
      lines={1}
      tall
    >
      {(contact) => (
        <div className="home-row">
          <div className="home-what">
            <span>{contactName(contact)}</span>
            <span className="quiet small">
              {[
                contact.isReachable === null ? null : t(`home.people.${isPast ? 'was_' : ''}${contact.isReachable ? 'reachable' : 'unreachable'}`),
                contact.title,
                contact.number,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </div>
          <CallButtons number={contact.number} name={contactName(contact)} disabled={isDisabled(contact.number)} onDial={onDial} />
        </div>
      )}
    </HomeCard>
  );
}
