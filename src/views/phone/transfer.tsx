import { useId, useState } from 'react';
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
  return (
    <div className="unfolded transfer" role="group" aria-label={t('phone.transfer.title')}>
      <label htmlFor={id} className="small quiet">
        {t('phone.transfer.to')}
      </label>
      <TextInput id={id} value={text} autoComplete="off" placeholder={t('phone.transfer.hint')} onChange={(event) => setText(event.target.value)} />
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
          {may.includes('call.transfer') && (
            <Button
              label={t('phone.transfer.blind')}
              onClick={() => {
                send({ type: 'call.transfer', speechId, to });
                onDone();
              }}
            />
          )}
          <Button tone="plain" label={t('phone.transfer.ask_first')} onClick={() => onAsk(to)} />
        </div>
      )}
    </div>
  );
}
