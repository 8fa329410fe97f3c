import { useSelector } from '@xstate/react';
import { memo, useEffect, useId, useMemo } from 'react';
import { byLetter, contactName, foundContacts } from '#machines/phone/contacts/contact-groups.ts';
import type { ContactsActor } from '#machines/phone/contacts/contacts.machine.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { initials } from '#src/components/portrait.tsx';
import { useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useIsOutdated } from '../system.ts';
import { CallButtons, type Dial } from './call-buttons.tsx';
import { PartHead, PartState } from './part-state.tsx';
import type { HandOn } from './use-phone.ts';

interface ContactsProps {
  actor: ContactsActor;
  own: string;
  /** Whether a call may go out now. */
  ready: boolean;
  /** Hands on the call one is in; null where there is none. */
  handOn: HandOn | null;
  onDial: Dial;
}

interface LineProps {
  contact: Contact;
  disabled: boolean;
  handOn: HandOn | null;
  onDial: Dial;
}

/** The two ways to hand on the call one is in to a contact. */
function HandOnButtons({ number, name, disabled, handOn }: { number: string; name: string; disabled: boolean; handOn: HandOn }) {
  const { t } = useText();
  const ways = [
    { icon: 'pi-arrow-right-arrow-left', label: t('phone.transfer.blind_to', { name }), act: handOn.transfer },
    { icon: 'pi-comments', label: t('phone.transfer.ask_first_of', { name }), act: handOn.ask },
  ];
  return ways.map(({ icon, label, act }) => (
    <button key={icon} type="button" className="icon-button" aria-label={label} title={label} disabled={disabled} onClick={() => act(number)}>
      <i className={`pi ${icon}`} aria-hidden="true" />
    </button>
  ));
}

const Line = memo(function Line({ contact, disabled, handOn, onDial }: LineProps) {
  const { t } = useText();
  const { number, title, user, group, isReachable } = contact;
  const name = contactName(contact);
  const about = [...new Set([number, contact.name, title, user?.description, group])].filter((word) => word && word !== name);
  const isPast = useIsOutdated();
  return (
    <li className="dial-line">
      <span className="line-sign" aria-hidden="true" data-reachable={isReachable ?? undefined} data-past={isPast || undefined}>
        {initials(name) || '#'}
      </span>
      <span className="line-words">
        <span className="line-name">{name}</span>
        <span className="cell-sub">{about.join(' · ')}</span>
      </span>
      {isReachable !== null && (
        <span className="unseen">{t(`phone.contacts.${isPast ? 'was_' : ''}${isReachable ? 'reachable' : 'unreachable'}`)}</span>
      )}
      <CallButtons number={number} name={name} disabled={disabled} onDial={onDial}>
        {handOn && <HandOnButtons number={number} name={name} disabled={disabled} handOn={handOn} />}
      </CallButtons>
    </li>
  );
});

/** Everybody and everything one may call, by first letter, with a search (clauses DIAL-14 to DIAL-16). */
export function Contacts({ actor, own, ready, handOn, onDial }: ContactsProps) {
  const { t, locale } = useText();
  const id = useId();
  const { contacts, search, problem } = useSelector(actor, ({ context }) => context);
  const isLoading = useSelector(actor, (snapshot) => snapshot.hasTag('reading'));
  useEffect(() => actor.send({ type: 'contacts.open' }), [actor]);
  const found = useMemo(() => foundContacts(contacts, search), [contacts, search]);
  const letters = useMemo(() => byLetter(found, locale), [found, locale]);
  const reading = { isLoading, isEmpty: contacts.length === 0, problem, onRefresh: () => actor.send({ type: 'contacts.refresh' }) };
  const count =
    found.length === contacts.length
      ? t('phone.contacts.total', { count: contacts.length })
      : t('phone.contacts.found', { count: contacts.length, found: found.length });
  return (
    <>
      <PartHead count={count} reading={reading}>
        <label className="unseen" htmlFor={id}>
          {t('phone.contacts.search')}
        </label>
        <TextInput
          id={id}
          type="search"
          className="grow part-search"
          placeholder={t('phone.contacts.search')}
          value={search}
          onChange={(event) => actor.send({ type: 'contacts.search', text: event.target.value })}
        />
      </PartHead>
      <PartState reading={reading}>
        {letters.length === 0 ? (
          <EmptyState icon="pi-users" text={t(contacts.length === 0 ? 'phone.contacts.none' : 'phone.contacts.none_found')} />
        ) : (
          letters.map(({ letter, contacts: those }) => (
            <section key={letter} className="line-group" aria-label={letter}>
              <h3 className="line-head">{letter}</h3>
              <ul>
                {those.map((contact) => (
                  <Line
                    key={`${contact.number} ${contact.name}`}
                    contact={contact}
                    disabled={!ready || contact.number === own}
                    handOn={handOn}
                    onDial={onDial}
                  />
                ))}
              </ul>
            </section>
          ))
        )}
      </PartState>
    </>
  );
}
