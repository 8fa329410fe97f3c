import { type ReactNode, useState } from 'react';
import { HoldButton } from '#src/components/hold-button.tsx';
import { useText } from '#src/components/text.ts';
import { DoorResult, type DoorState } from './door-result.tsx';
import { useIsOutdated } from '../system.ts';
import { DoorPicture } from './door-picture.tsx';
import './lines.css';
import './door-line.css';

interface DoorLineProps {
  /** Of the device. */
  id: string;
  name: string;
  place: string;
  /** Null where one is not told. */
  isOnline: boolean | null;
  hasCamera: boolean;
  state: DoorState;
  /** Why it was refused. */
  why: string;
  /** A door is being opened: another one waits for that. */
  isBusy: boolean;
  isFavourite: boolean;
  onFavourite: () => void;
  onOpen: () => void;
  call?: { isReady: boolean; onCall: () => void } | undefined;
}

function IconButton({
  icon,
  label,
  disabled = false,
  isOn,
  onClick,
}: {
  icon: `pi-${string}`;
  label: string;
  disabled?: boolean;
  isOn?: boolean;
  onClick: () => void;
}) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} aria-pressed={isOn} disabled={disabled} onClick={onClick}>
      <i className={`pi ${icon}`} aria-hidden="true" />
    </button>
  );
}

/** A door: where it is, whether it hears, what its camera shows, and opening it by holding. */
export function DoorLine({
  id,
  name,
  place,
  isOnline,
  hasCamera,
  state,
  why,
  isBusy,
  isFavourite,
  onFavourite,
  onOpen,
  call,
}: DoorLineProps): ReactNode {
  const { t } = useText();
  const [isPictured, setPictured] = useState(false);
  const isPast = useIsOutdated();
  const standing = isOnline === null ? null : t(`phone.door.${isPast ? 'was_' : ''}${isOnline ? 'online' : 'offline'}`);
  return (
    <li className="dial-line door-line">
      <span
        className="line-sign"
        data-reachable={isOnline ?? undefined}
        data-past={isPast || undefined}
        title={standing ?? undefined}
        aria-hidden="true"
      >
        <i className="pi pi-lock" />
      </span>
      <span className="line-words">
        <span className="line-name" title={name}>
          {name}
        </span>
        <span className="cell-sub">{[isPast && standing, place].filter(Boolean).join(' · ')}</span>
        {standing && !isPast && <span className="unseen">{standing}</span>}
      </span>
      <span className="line-acts">
        <IconButton
          icon={isFavourite ? 'pi-star-fill' : 'pi-star'}
          label={t(isFavourite ? 'phone.door.unmark' : 'phone.door.mark', { name })}
          isOn={isFavourite}
          onClick={onFavourite}
        />
        {hasCamera && (
          <IconButton icon="pi-camera" label={t('phone.door.picture', { name })} isOn={isPictured} onClick={() => setPictured(!isPictured)} />
        )}
        {call && <IconButton icon="pi-phone" label={t('phone.voice_call_to', { name })} disabled={!call.isReady} onClick={call.onCall} />}
      </span>
      <HoldButton
        icon="pi-lock-open"
        label={t('phone.door.open')}
        name={t('phone.door.open_of', { name })}
        holding={t('phone.door.holding_short')}
        hint={t('phone.door.hold')}
        disabled={isBusy}
        onHeld={onOpen}
      />
      {state !== 'closed' && <DoorResult state={state} why={why} />}
      {isPictured && <DoorPicture id={id} name={name} />}
    </li>
  );
}
