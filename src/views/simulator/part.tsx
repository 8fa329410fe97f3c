import { type ReactNode, useId } from 'react';
import type { DeviceAct, SimulatedDevice } from '#models/simulator.ts';

/** What the parts of a stage are given. */
export interface PartProps {
  device: SimulatedDevice;
  running: boolean;
  act: (act: DeviceAct) => void;
}

/** One kind of act under a heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="simulator-part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}
