import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { DoorLine } from '../phone/door-line.tsx';
import { useDoorOpening } from '../phone/use-door-opening.ts';
import { useFavouriteDoors } from '../phone/use-favourite-doors.ts';
import { DoorsAwaited } from './doors-awaited.tsx';
import { HomeFrame } from './home-card.tsx';

const most = 6;

/** The doors one may open, those that are marked first, then those with a camera; no card where there is none. */
export function DoorsCard({ actor, isDesk }: { actor: DoorActor; isDesk: boolean }) {
  const { t } = useText();
  const [isWhole, setWhole] = useState(false);
  useEffect(() => actor.send({ type: 'door.read' }), [actor]);
  const doors = useSelector(actor, ({ context }) => context.doors);
  const { stateOf, why, isBusy } = useDoorOpening(actor);
  const { isFavourite, flip } = useFavouriteDoors();
  const isAwaited = useSelector(actor, (snapshot) => snapshot.matches({ list: 'unread' }) || snapshot.hasTag('reading'));
  if (doors.length === 0) return isAwaited && !isDesk ? <DoorsAwaited /> : null;
  const rank = (id: string, hasCamera: boolean): number => (isFavourite(id) ? 0 : hasCamera ? 1 : 2);
  const sorted = doors.toSorted((one, other) => rank(one.id, one.hasCamera) - rank(other.id, other.hasCamera));
  return (
    <HomeFrame
      title={t(isDesk ? 'home.doors.title' : 'home.doors.mine')}
      icon="pi-lock-open"
      lines={1}
      foot={
        <button type="button" className="link-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('home.doors.fewer') : t('home.doors.all', { count: doors.length })}
        </button>
      }
      footShown={doors.length > most}
    >
      <ul className="home-rows home-doors">
        {(isWhole ? sorted : sorted.slice(0, most)).map(({ id, token, name, path, isOnline, hasCamera }) => (
          <DoorLine
            key={token}
            id={id}
            name={name}
            place={groupText({ name: '', path })}
            isOnline={isOnline}
            hasCamera={hasCamera}
            state={stateOf(token)}
            why={why}
            isBusy={isBusy}
            isFavourite={isFavourite(id)}
            onFavourite={() => flip(id)}
            onOpen={() => actor.send({ type: 'door.open', token, speechId: null, reason: null })}
          />
        ))}
      </ul>
    </HomeFrame>
  );
}
