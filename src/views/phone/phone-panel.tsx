import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { CallMirror } from '#machines/phone/mirror.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { useText } from '#src/components/text.ts';
import { useProfile } from '../profile-of.ts';
import { usePhoneIsSheet } from '../shell/media.ts';
import { PhoneCalls } from './phone-calls.tsx';
import { PhoneNotes } from './phone-notes.tsx';
import { PhonePart } from './phone-part.tsx';
import { type Part, partIcons, usePartNames } from './parts.ts';
import { registrationLooks } from './registration-looks.ts';
import { useMirror } from './use-phone.ts';
import './phone.css';
import './calls.css';

function Head({ phone, part, onPart, onClose }: { phone: PhoneActor; part: Part | null; onPart: (part: Part) => void; onClose: () => void }) {
  const { t } = useText();
  const { profile } = useProfile();
  const registration = useMirror(phone, (mirror) => mirror.registration);
  const sound = useMirror(phone, (mirror) => mirror.sound);
  return (
    <header className="phone-head" data-registration={registration}>
      <div className="phone-own">
        <b>{profile.sip_number?.name || t('phone.title')}</b>
        <span className="phone-standing">
          <span className="phone-dot" data-tone={registrationLooks[registration].tone} aria-hidden="true" />
          {[profile.sip_number?.number, t(`phone.registration.${registration}`), t(`phone.sound_state.${sound}`)].join(' · ')}
        </span>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label={t('phone.settings.title')}
        title={t('phone.settings.title')}
        aria-pressed={part === 'settings'}
        onClick={() => onPart('settings')}
      >
        <i className="pi pi-cog" aria-hidden="true" />
      </button>
      <button type="button" className="icon-button" aria-label={t('phone.close')} title={t('phone.close')} onClick={onClose}>
        <i className="pi pi-times" aria-hidden="true" />
      </button>
    </header>
  );
}

interface TabsProps {
  parts: readonly Part[];
  part: Part | null;
  id: string;
  /** `isWalk`: by an arrow key, which leaves the focus among the tabs. */
  onPart: (part: Part, isWalk?: boolean) => void;
}
/** The parts of the panel as tabs; arrow keys walk them. */
function Tabs({ parts, part, id, onPart }: TabsProps) {
  const { t } = useText();
  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
    const next = tabs[(tabs.indexOf(document.activeElement as HTMLElement) + step + tabs.length) % tabs.length];
    event.preventDefault();
    next?.focus();
    const walked = parts.find((one) => next?.id === `${id}-${one}`);
    if (walked) onPart(walked, true);
  };
  const entry = part !== null && parts.includes(part) ? part : parts[0];
  return (
    <div className="phone-tabs" role="tablist" aria-label={t('phone.parts')} onKeyDown={walk}>
      {parts.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          className="phone-tab"
          data-part={one}
          id={`${id}-${one}`}
          aria-selected={part === one}
          aria-controls={part === one ? `${id}-part` : undefined}
          tabIndex={entry === one ? 0 : -1}
          onClick={() => onPart(one)}
        >
          <i className={`pi ${partIcons[one]}`} aria-hidden="true" />
          <span>{t(`phone.tabs.${one}`)}</span>
        </button>
      ))}
    </div>
  );
}

/**
 * Whoever opens the phone by its button goes on in it, and comes back to the button; a call that opens it takes no focus, unless it
 * lies over the page the focus was in.
 */
function useFollowedFocus(isSheet: boolean) {
  const panel = useRef<HTMLElement>(null);
  const [takesFocus] = useState(isSheet);
  // Before anything is painted, and before the panel is taken away: afterwards nothing in it has the focus any more.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const element = panel.current;
    const button = activeElement instanceof HTMLElement && activeElement.closest('.phone-button') ? activeElement : null;
    if (takesFocus || button) element?.querySelector<HTMLElement>('.phone-part input, [role="tab"][tabindex="0"]')?.focus();
    return () => {
      // The page may be out of reach until it is drawn without the sheet.
      if (button && element?.contains(document.activeElement)) queueMicrotask(() => button.focus());
    };
  }, [takesFocus]);
  return panel;
}

/** A part opened while one talks comes into sight with the focus in its field; arrows that walk the tabs keep the focus there. */
function useOpenedPart(part: Part | null, walked: RefObject<boolean>) {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = body;
    if (part === null || !current) return;
    const place = current.querySelector('.phone-part');
    place?.scrollIntoView({ block: 'nearest' });
    if (!walked.current) place?.querySelector<HTMLElement>('input')?.focus();
  }, [part, walked]);
  return body;
}

interface PanelProps {
  phone: PhoneActor;
  /** Those that do not stand above all else already. */
  calls: readonly CallMirror[];
  isTalking: boolean;
  /** What is open while one talks. */
  during: Part | null;
  onDuring: (part: Part | null) => void;
  onClose: () => void;
}
/** The phone beside the page: calls of others first, below them one of its parts, then those of this desk (clause DIAL-09). */
export function PhonePanel({ phone, calls, isTalking, during, onDuring, onClose }: PanelProps) {
  const { t } = useText();
  const id = useId();
  const isSheet = usePhoneIsSheet();
  const panel = useFollowedFocus(isSheet);
  const parts = usePartNames(phone);
  const [chosen, setChosen] = useState<Part>('keypad');
  const part = isTalking ? during : chosen;
  const walked = useRef(false);
  const choose = (next: Part, isWalk = false): void => {
    walked.current = isWalk;
    if (isTalking) onDuring(during === next ? null : next);
    else setChosen(next);
  };
  const body = useOpenedPart(isTalking && !isSheet ? during : null, walked);
  /** A sheet is left as a dialog is; beside the page Escape belongs to the page. */
  const leave = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape' && isSheet && !event.defaultPrevented) onClose();
  };
  const isTab = part !== null && parts.includes(part);
  return (
    <aside ref={panel} className="phone-panel" aria-label={t('phone.title')} onKeyDown={leave}>
      <Head phone={phone} part={part} onPart={choose} onClose={onClose} />
      {/* Where nothing in it takes the focus, the keyboard scrolls it by itself: beside a tall call little room is left for the notes. */}
      <div ref={body} className="phone-body" tabIndex={part || calls.length > 0 ? -1 : 0}>
        <PhoneNotes phone={phone} />
        <PhoneCalls calls={calls} send={phone.send} />
        {part && (
          <div
            id={`${id}-part`}
            className="phone-part"
            role={isTab ? 'tabpanel' : 'region'}
            {...(isTab ? { 'aria-labelledby': `${id}-${part}` } : { 'aria-label': t('phone.settings.title') })}
          >
            <PhonePart phone={phone} part={part} />
          </div>
        )}
      </div>
      <Tabs parts={parts} part={part} id={id} onPart={choose} />
    </aside>
  );
}
