import { type KeyboardEvent, useId, useState } from 'react';
import { contactName, foundContacts } from '#machines/phone/contacts/contact-groups.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { pastedNumber } from '#machines/phone/typed-number.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import type { CallProps } from './call-card.tsx';

interface TransferProps extends CallProps {
  contacts: readonly Contact[];
  /** Puts the call on hold and calls that number. */
  onAsk: (number: string) => void;
  onDone: () => void;
}
const most = 5;

/** Hands a call on to a number: without asking there, or after asking there. */
export function Transfer({ call, contacts, send, onAsk, onDone }: TransferProps) {
  const { t } = useText();
  const id = useId();
  const [text, setText] = useState('');
  const to = pastedNumber(text);
  const { speechId, may } = call;
  const found = text.trim() === '' ? [] : foundContacts(contacts, text).slice(0, most);
  const handOn = (number: string): void => {
    send({ type: 'call.transfer', speechId, to: number });
    onDone();
  };
  /** Enter takes the first of those found, and hands on to a number that stands there. */
  const pressed = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      return onDone();
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.repeat) return;
    event.preventDefault();
    const first = found[0];
    if (to === null && first) setText(first.number);
    else if (to !== null && may.includes('call.transfer')) handOn(to);
  };
  return (
    <div className="unfolded transfer" role="group" aria-label={t('phone.transfer.title')}>
      <label htmlFor={id} className="small quiet">
        {t('phone.transfer.to')}
      </label>
      <TextInput
        id={id}
        value={text}
        autoComplete="off"
        placeholder={t('phone.transfer.hint')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
      />
      {to === null && found.length > 0 && (
        <ul className="transfer-found">
          {found.map((contact) => (
            <li key={contact.number}>
              <button type="button" className="menu-line" onClick={() => setText(contact.number)}>
                <span className="grow">{contactName(contact)}</span>
                <span className="quiet">{contact.number}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {to !== null && (
        <div className="call-acts">
          {may.includes('call.transfer') && <Button label={t('phone.transfer.blind')} onClick={() => handOn(to)} />}
          <Button tone="plain" label={t('phone.transfer.ask_first')} onClick={() => onAsk(to)} />
        </div>
      )}
    </div>
  );
}
