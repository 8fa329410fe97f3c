import { useEffect } from 'react';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

/** How long a picture stays before the next one is asked for. */
const pause = 5_000;

/** What the camera of a door shows, anew every few seconds. */
export function DoorPicture({ id, name }: { id: string; name: string }) {
  const { t } = useText();
  const { run, answer, problem, running } = useRequest('devicePicture');
  useEffect(() => run({ params: { id } }), [run, id]);
  useEffect(() => {
    if (running || problem || !answer) return;
    const timer = setTimeout(() => run({ params: { id } }), pause);
    return () => clearTimeout(timer);
  }, [run, id, running, problem, answer]);
  return (
    <div className="door-picture">
      {answer && <img src={answer.picture} alt={t('phone.door.picture', { name })} />}
      {!answer && !problem && <SkeletonLines lines={3} label={t('interface.loading')} />}
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}
