import { useEffect } from 'react';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useReading } from '../area/use-reading.ts';

/** How long a picture stays before the next one is asked for. */
const pause = 5_000;

/** What the camera of a door shows, anew every few seconds. */
export function DoorPicture({ id, name }: { id: string; name: string }) {
  const { t } = useText();
  const { answer, problem, running, reload } = useReading('devicePicture', { params: { id } });
  useEffect(() => {
    if (running || problem || !answer) return;
    const timer = setTimeout(reload, pause);
    return () => clearTimeout(timer);
  }, [running, problem, answer, reload]);
  return (
    <div className="door-picture">
      {answer && <img src={answer.picture} alt={t('phone.door.picture', { name })} />}
      {!answer && !problem && <SkeletonLines lines={3} label={t('interface.loading')} />}
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}
