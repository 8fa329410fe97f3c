import { useSelector } from '@xstate/react';
import { useEffect, useId, useMemo, useState } from 'react';
import type { DoorActor } from '#machines/phone/door.machine.ts';
import { foundDoors } from '#machines/phone/found-doors.ts';
import type { ConciergeDoor } from '#machines/phone/ports.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { groupText } from '#src/components/group-text.ts';
import { useText } from '#src/components/text.ts';
import { TextInput } from '#src/components/text-input.tsx';
import type { Dial } from './call-buttons.tsx';
import { DoorLine } from './door-line.tsx';
import { PartHead, PartState } from './part-state.tsx';
import { useDoorOpening } from './use-door-opening.ts';
import { useFavouriteDoors } from './use-favourite-doors.ts';

interface DoorsProps {
  actor: DoorActor;
  /** Whether a call may go out now. */
  ready: boolean;
  onDial: Dial;
}
const longestReason = 200;

/** The doors with their favourites first; each is opened in its line, by holding: nothing is opened by a slip of the hand. */
function Lines({ actor, ready, onDial, doors }: DoorsProps & { doors: readonly ConciergeDoor[] }) {
  const { t } = useText();
  const id = useId();
  const [reason, setReason] = useState('');
  const { stateOf, why, isBusy } = useDoorOpening(actor);
  const { isFavourite, flip } = useFavouriteDoors();
  const parts = [
    { key: 'favourites', those: doors.filter((door) => isFavourite(door.id)) },
    { key: 'others', those: doors.filter((door) => !isFavourite(door.id)) },
  ].filter(({ those }) => those.length > 0);
  const open = (token: string): void => {
    actor.send({ type: 'door.open', token, speechId: null, reason: reason.trim() || null });
    setReason('');
  };
  return (
    <>
      <div className="door-reason">
        <label className="unseen" htmlFor={id}>
          {t('phone.door.reason')}
        </label>
        <TextInput
          id={id}
          maxLength={longestReason}
          value={reason}
          autoComplete="off"
          placeholder={t('phone.door.reason')}
          onChange={(event) => setReason(event.target.value)}
        />
        <p className="quiet small">{t('phone.door.hold')}</p>
      </div>
      {parts.map(({ key, those }) => (
        <section key={key} className="line-group" aria-label={t(`phone.door.${key}`)}>
          {parts.length > 1 && <h3 className="line-head">{t(`phone.door.${key}`)}</h3>}
          <ul>
            {those.map((door) => (
              <DoorLine
                key={door.token}
                id={door.id}
                name={door.name}
                place={groupText({ name: '', path: door.path })}
                isOnline={door.isOnline}
                hasCamera={door.hasCamera}
                state={stateOf(door.token)}
                why={why}
                isBusy={isBusy}
                isFavourite={isFavourite(door.id)}
                onFavourite={() => flip(door.id)}
                onOpen={() => open(door.token)}
                call={door.number === null ? undefined : { isReady: ready, onCall: () => onDial(door.number ?? '', false) }}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Opens doors outside of calls: find, press and hold, read what the device says (clauses DIAL-20 to DIAL-24). */
export function Doors(props: DoorsProps) {
  const { actor } = props;
  const { t, locale } = useText();
  const id = useId();
  const [search, setSearch] = useState('');
  const doors = useSelector(actor, ({ context }) => context.doors);
  const isLoading = useSelector(actor, (snapshot) => snapshot.hasTag('reading'));
  const isUnreachable = useSelector(actor, (snapshot) => snapshot.hasTag('unreachable'));
  useEffect(() => actor.send({ type: 'door.read' }), [actor]);
  const found = useMemo(() => foundDoors(doors, search, locale), [doors, search, locale]);
  const reading = { isLoading, isEmpty: doors.length === 0, problem: null, onRefresh: () => actor.send({ type: 'door.read' }) };
  const count =
    found.length === doors.length
      ? t('phone.door.total', { count: doors.length })
      : t('phone.door.found', { count: doors.length, found: found.length });
  return (
    <>
      <PartHead count={count} reading={reading}>
        <label className="unseen" htmlFor={id}>
          {t('phone.door.search')}
        </label>
        <TextInput
          id={id}
          type="search"
          className="grow part-search"
          placeholder={t('phone.door.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </PartHead>
      <PartState reading={reading}>
        {doors.length === 0 ? (
          <EmptyState icon="pi-lock" text={t(isUnreachable ? 'phone.door.unreachable' : 'phone.door.none')} />
        ) : found.length === 0 ? (
          <EmptyState icon="pi-lock" text={t('phone.door.none_found')} />
        ) : (
          <Lines {...props} doors={found} />
        )}
      </PartState>
    </>
  );
}
