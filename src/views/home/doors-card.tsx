import { useSelector } from '@xstate/react';
import { type ReactNode, useEffect, useState } from 'react';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { DoorLine } from '../phone/door-line.tsx';
import { useDoorOpening } from '../phone/use-door-opening.ts';
import { useFavouriteDoors } from '../phone/use-favourite-doors.ts';
import { DoorsAwaited, ownDoors, OwnDoorsFrame } from './doors-awaited.tsx';
import { HomeFrame } from './home-card.tsx';

const deskDoors = 6;

function Frame({ isDesk, foot, children }: { isDesk: boolean; foot?: ReactNode; children: ReactNode }) {
  const { t } = useText();
  if (!isDesk) return <OwnDoorsFrame foot={foot}>{children}</OwnDoorsFrame>;
  return (
    <HomeFrame title={t('home.doors.title')} icon="pi-lock-open" lines={1} foot={foot ?? true} footShown={foot !== undefined}>
      {children}
    </HomeFrame>
  );
}

/** What stands in the card where there are no doors: on their way, none, or not to be read. A desk without any has no card. */
function NoDoors({ actor, isDesk }: { actor: DoorActor; isDesk: boolean }) {
  const { t } = useText();
  const isAwaited = useSelector(actor, (snapshot) => snapshot.matches({ list: 'unread' }) || snapshot.hasTag('reading'));
  const isUnreachable = useSelector(actor, (snapshot) => snapshot.hasTag('unreachable'));
  if (isUnreachable)
    return (
      <Frame isDesk={isDesk}>
        <EmptyState icon="pi-exclamation-circle" text={t('phone.door.unreachable')}>
          <Button tone="plain" small icon="pi-refresh" label={t('list.retry')} onClick={() => actor.send({ type: 'door.read' })} />
        </EmptyState>
      </Frame>
    );
  if (isDesk) return null;
  if (isAwaited) return <DoorsAwaited />;
  return (
    <Frame isDesk={isDesk}>
      <EmptyState icon="pi-lock" text={t('phone.door.none')} />
    </Frame>
  );
}

/** The doors one may open, those that are marked first, then those with a camera. */
export function DoorsCard({ actor, isDesk }: { actor: DoorActor; isDesk: boolean }) {
  const { t } = useText();
  const [isWhole, setWhole] = useState(false);
  useEffect(() => actor.send({ type: 'door.read' }), [actor]);
  const doors = useSelector(actor, ({ context }) => context.doors);
  const { stateOf, why, isBusy } = useDoorOpening(actor);
  const { isFavourite, flip } = useFavouriteDoors();
  if (doors.length === 0) return <NoDoors actor={actor} isDesk={isDesk} />;
  const rank = (id: string, hasCamera: boolean): number => (isFavourite(id) ? 0 : hasCamera ? 1 : 2);
  const sorted = doors.toSorted((one, other) => rank(one.id, one.hasCamera) - rank(other.id, other.hasCamera));
  const most = isDesk ? deskDoors : ownDoors;
  const foot = (
    <button type="button" className="link-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
      {isWhole ? t('home.doors.fewer') : t('home.doors.all', { count: doors.length })}
    </button>
  );
  return (
    <Frame isDesk={isDesk} foot={doors.length > most ? foot : undefined}>
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
    </Frame>
  );
}
