import { useSelector } from '@xstate/react';
import { type KeyboardEvent, useId } from 'react';
import type { KeypadActor } from '#machines/phone/keypad.machine.ts';
import type { Contact } from '#machines/phone/ports.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useServices } from '../system.ts';
import { Keys } from './keys.tsx';
import type { HandOn } from './use-phone.ts';

interface KeypadProps {
  keypad: KeypadActor;
  /** One's own number: it cannot be called, and the phone says so to whoever tries. */
  own: string;
  /** Whether a call may go out now. */
  ready: boolean;
  /** Whoever answers at the front desks one may call. */
  desks: readonly Contact[];
  /** Hands on the call one is in; null where there is none. */
  handOn: HandOn | null;
  onRedial: (number: string) => void;
}
/** More than a few front desks are looked for among the contacts. */
const mostDesks = 3;

/** As many keys as a number has at most. */
const longest = 32;

/** Dials: by its keys, by keyboard, by pasting; a voice call, a video call, or the last number once more (clauses DIAL-10 to DIAL-13). */
export function Keypad({ keypad, own, ready, desks, handOn, onRedial }: KeypadProps) {
  const { t } = useText();
  const { freshId, now } = useServices();
  const id = useId();
  const { typed, last } = useSelector(keypad, ({ context }) => context);
  const mayCall = useSelector(keypad, (snapshot) => snapshot.can({ type: 'keypad.call', speechId: '', at: 0 }));
  const mayVideo = useSelector(keypad, (snapshot) => snapshot.can({ type: 'keypad.video', speechId: '', at: 0 }));
  const isOwn = typed === own;
  const call = (type: 'keypad.call' | 'keypad.video'): void => keypad.send({ type, speechId: freshId(), at: now() });
  /** Whatever an input method makes of the field is typed anew, key by key: what is no key never gets in. */
  const retype = (text: string): void => {
    keypad.send({ type: 'keypad.clear' });
    for (const key of text) keypad.send({ type: 'keypad.press', key });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (ready) call('keypad.call');
  };
  return (
    <div className="keypad">
      <label className="unseen" htmlFor={id}>
        {t('phone.keypad.number')}
      </label>
      <TextInput
        id={id}
        type="tel"
        className="keypad-number"
        autoComplete="off"
        placeholder={t('phone.keypad.number')}
        value={typed}
        invalid={isOwn || (!mayCall && typed.length > longest)}
        aria-describedby={`${id}-about`}
        onChange={(event) => retype(event.target.value)}
        onPaste={(event) => {
          event.preventDefault();
          keypad.send({ type: 'keypad.paste', text: event.clipboardData.getData('text') });
        }}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-about`} className="keypad-about" role="status">
        {isOwn && <span className="bad">{t('interface.unable_to_call_your_number')}</span>}
        {!mayCall && typed.length > longest && <span className="bad">{t('phone.keypad.too_long')}</span>}
        {typed === '' && last !== null && (
          <button type="button" className="link-button" disabled={!ready} onClick={() => onRedial(last)}>
            {t('phone.keypad.redial', { number: last })}
          </button>
        )}
      </p>
      <Keys onPress={(key) => keypad.send({ type: 'keypad.press', key })} />
      <div className="keypad-acts">
        <button
          type="button"
          className="round-button"
          aria-label={t('phone.video_call')}
          title={t('phone.video_call')}
          disabled={!mayVideo || (typed !== '' && !ready)}
          onClick={() => call('keypad.video')}
        >
          <i className="pi pi-video" aria-hidden="true" />
        </button>
        {mayCall ? (
          <Button
            className="button-good keypad-call"
            icon="pi-phone"
            label={t('phone.voice_call')}
            disabled={!ready}
            onClick={() => call('keypad.call')}
          />
        ) : (
          <span />
        )}
        <button
          type="button"
          className="round-button"
          aria-label={t('phone.keypad.backspace')}
          title={t('phone.keypad.backspace')}
          onClick={() => keypad.send({ type: 'keypad.erase' })}
        >
          <i className="pi pi-delete-left" aria-hidden="true" />
        </button>
      </div>
      {handOn && mayCall && !isOwn && (
        <div className="keypad-hand-on" role="group" aria-label={t('phone.transfer.title')}>
          <Button icon="pi-arrow-right-arrow-left" label={t('phone.transfer.blind')} onClick={() => handOn.transfer(typed)} />
          <Button tone="plain" label={t('phone.transfer.ask_first')} disabled={!ready} onClick={() => handOn.ask(typed)} />
        </div>
      )}
      {desks.length > 0 && desks.length <= mostDesks && (
        <div className="keypad-desks">
          {desks.map(({ number, name }) => (
            <Button
              key={number}
              tone="plain"
              icon="pi-headphones"
              label={t('phone.keypad.desk', { name, number })}
              disabled={!ready || number === own}
              onClick={() => onRedial(number)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
