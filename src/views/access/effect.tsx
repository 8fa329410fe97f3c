import { useEffect, useState } from 'react';
import type { AccessChange, AccessEffect, EffectKind, EffectPlace } from '#models/access-effect.ts';
import { effectKinds } from '#models/access-effect.ts';
import { ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useReading } from '../area/use-reading.ts';
import { EffectPeople } from './effect-people.tsx';
import './access.css';

/** So long nothing is typed before the effect of a draft is asked for, ms. */
const pause = 500;

interface Asked {
  kind: EffectKind;
  place: (EffectPlace & { name: string }) | null;
}

/** How many doors, and how many floors of elevators. */
function usePlaces(): (kind: EffectKind, places: readonly Pick<EffectPlace, 'floor'>[]) => string {
  const { t } = useText();
  return (kind, places) => {
    const floors = places.filter(({ floor }) => floor !== null).length;
    const doors = places.length - floors;
    const texts = {
      doors: t(`list.effect.doors_${kind}`, { count: doors }),
      floors: t(`list.effect.floors_${kind}`, { count: floors }),
    };
    if (floors === 0) return texts.doors;
    return doors === 0 ? texts.floors : t('list.effect.doors_and_floors', texts);
  };
}

/** One kind of change: doors and people in a sentence, below it each door with its number, which opens the list. */
function Part({ kind, part, onList }: { kind: EffectKind; part: AccessEffect[EffectKind]; onList: (asked: Asked) => void }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  if (part.people === 0) return null;
  const doors = usePlaces()(kind, part.doors);
  return (
    <li className="effect-part" data-kind={kind}>
      <p>
        {t(`list.effect.${kind}`, { doors })}{' '}
        <button type="button" className="link-button" onClick={() => onList({ kind, place: null })}>
          {t('list.effect.people', { count: part.people })}
        </button>
      </p>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('list.effect.by_door')}</summary>
        <ul className="effect-doors">
          {part.doors.map(({ device, floor, people }) => (
            <li key={`${device.id} ${floor}`}>
              <span>{device.name}</span>
              <button type="button" className="link-button" onClick={() => onList({ kind, place: { ...device, floor } })}>
                {t('list.effect.count', { count: people })}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

/** What a change of access would do: which doors open, close or change their hours, for how many; each number opens the list. */
export function AccessEffectNote({ change, onReckoned }: { change: AccessChange; onReckoned?: () => void }) {
  const { t } = useText();
  // Of another draft nothing is said: that access does not change would be wrong for this one.
  const { answer, problem } = useReading('accessEffect', { body: change }, { pause });
  const [asked, setAsked] = useState<Asked>();
  const isReckoned = answer !== null || problem !== null;
  useEffect(() => {
    if (isReckoned) onReckoned?.();
  }, [isReckoned, onReckoned]);
  if (problem) return <ProblemText problem={problem} />;
  if (!answer) return <SkeletonLines lines={2} label={t('list.effect.looking')} />;
  const isNothing = effectKinds.every((kind) => answer[kind].people === 0);
  return (
    <div className="effect" aria-live="polite">
      {isNothing ? (
        <p className="quiet">{t('list.effect.nothing')}</p>
      ) : (
        <ul className="effect-parts">
          {effectKinds.map((kind) => (
            <Part key={kind} kind={kind} part={answer[kind]} onList={setAsked} />
          ))}
        </ul>
      )}
      {asked && <EffectPeople change={change} {...asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
