import { useCallback, useEffect, useRef } from 'react';
import type { AnswerOf, calls } from '#models/api.ts';
import type { AreaName } from '#models/areas.ts';
import type { Problem } from '#models/problem.ts';
import { useLiveAreas } from '../area/use-live-rows.ts';
import { useReading } from '../area/use-reading.ts';

type HomeCall = 'attention' | 'homeFigures';
/** What a call of the home page answers, as it stands now. */
export interface Figures<A> {
  answer: A | null;
  problem: Problem | null;
  reload: () => void;
}

/** Does it at once, and at most once in a while: what is asked for meanwhile is done at its end. */
function useCalm(work: () => void, pause: number): () => void {
  const state = useRef<{ timer?: ReturnType<typeof setTimeout> | undefined; wanted: boolean }>({ wanted: false });
  useEffect(() => {
    const { current } = state;
    return () => {
      clearTimeout(current.timer);
      current.timer = undefined;
    };
  }, []);
  return useCallback(
    function calm(): void {
      const { current } = state;
      current.wanted = current.timer !== undefined;
      if (current.wanted) return;
      work();
      current.timer = setTimeout(() => {
        current.timer = undefined;
        if (current.wanted) calm();
      }, pause);
    },
    [work, pause],
  );
}

/** Reads figures, and reads them anew when rows of these areas change, at most once in `pause` ms. */
export function useFigures<C extends HomeCall>(call: C, areas: readonly AreaName[], pause: number): Figures<AnswerOf<(typeof calls)[C]>> {
  const { answer, problem, reload } = useReading(call, {});
  useLiveAreas(areas, useCalm(reload, pause));
  return { answer, problem: answer ? null : problem, reload };
}
