import { useId, useState } from 'react';
import { contactName, foundContacts } from '#machines/phone/contact-groups.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { pastedNumber } from '#machines/phone/typed-number.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import type { CallProps } from './call-card.tsx';
import { faceOf } from './call-words.ts';

interface TransferProps extends CallProps {
  /** The other calls at this desk. */
  others: readonly CallMirror[];
  contacts: readonly Contact[];
  onDial: (number: string) => void;
  onDone: () => void;
}
const most = 5;

/** Hands a call on: to a number without asking there, after asking there, or to another call at this desk. */
export function Transfer({ call, others, contacts, send, onDial, onDone }: TransferProps) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const [text, setText] = useState('');
  const to = pastedNumber(text);
  const { speechId, may } = call;
  const found = text.trim() === '' ? [] : foundContacts(contacts, text).slice(0, most);
  return (
    <div className="unfolded transfer" role="group" aria-label={t('phone.transfer.title')}>
      {may.includes('call.connect') &&
        others.map((other) => (
          <Button
            key={other.speechId}
            tone="plain"
            icon="pi-arrow-right-arrow-left"
            label={t('phone.transfer.connect', { name: faceOf(other, words, contacts).title })}
            onClick={() => {
              send({ type: 'call.connect', speechId, with: other.speechId });
              onDone();
            }}
          />
        ))}
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
          <Button tone="plain" label={t('phone.transfer.ask_first')} onClick={() => onDial(to)} />
        </div>
      )}
    </div>
  );
}
