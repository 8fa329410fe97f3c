import { useContext } from 'react';
import { backTo, connectionOf } from '#machines/phone/line.ts';
import type { CallMirror } from '#machines/phone/mirror.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import type { CallProps } from './call-card.tsx';
import { faceOf } from './call-texts.ts';
import { ContactsContext } from './names.ts';

/** Who waits while one talks with somebody else: to be connected with that one, or to be gone back to. */
export function OnHold({ call, others, send }: CallProps & { others: readonly CallMirror[] }) {
  const words = useText();
  const { t } = words;
  const contacts = useContext(ContactsContext);
  if (!call.isBusy) return null;
  return others.map((other) => {
    const name = faceOf(other, words, contacts).title;
    const connection = connectionOf(call, other);
    const mayGoBack = other.may.includes('call.resume') && call.may.includes('call.hangUp');
    if (!connection && !mayGoBack) return null;
    return (
      <div key={other.speechId} className="call-on-hold" role="group" aria-label={t('phone.transfer.on_hold', { name })}>
        <span className="call-on-hold-name">
          <i className="pi pi-pause" aria-hidden="true" /> {t('phone.transfer.on_hold', { name })}
        </span>
        {connection && <Button icon="pi-arrow-right-arrow-left" label={t('phone.transfer.connect', { name })} onClick={() => send(connection)} />}
        {mayGoBack && (
          <Button
            tone="plain"
            label={t(`phone.transfer.${call.status === 'calling' ? 'cancel_back' : 'back'}`, { name })}
            onClick={() => send(backTo(other, call))}
          />
        )}
      </div>
    );
  });
}
