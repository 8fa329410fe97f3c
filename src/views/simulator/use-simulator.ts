import { useCallback, useEffect, useState } from 'react';
import type { Problem } from '#models/problem.ts';
import type { SimulatorState } from '#models/simulator.ts';
import { useRequest } from '../area/use-request.ts';

const lookEvery = 2_000;
/** While a car is on its way it is looked at oftener. */
const watchEvery = 600;

/** How the demo's devices stand, read again every two seconds while the page is looked at, oftener while an elevator moves. */
export function useSimulator(): {
  state: SimulatorState | null;
  problem: Problem | null;
  /** Takes over what a call has answered. */
  adopt: (state: SimulatorState) => void;
  reload: () => void;
} {
  const [state, adopt] = useState<SimulatorState | null>(null);
  const { run, problem } = useRequest('simulator', { done: adopt });
  const reload = useCallback(() => run({}), [run]);
  useEffect(reload, [reload]);
  // Who was refused, or has no demo, is not asking over and over.
  const there = state !== null;
  const isMoving = state?.devices.some(({ elevator }) => elevator && elevator.state !== 'standing') === true;
  useEffect(() => {
    if (!there) return;
    const timer = setInterval(
      () => {
        if (!document.hidden) reload();
      },
      isMoving ? watchEvery : lookEvery,
    );
    return () => clearInterval(timer);
  }, [reload, there, isMoving]);
  return { state, problem, adopt, reload };
}
