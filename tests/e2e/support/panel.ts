import { simulated } from './alarms.ts';
import { api } from './server.ts';
import type { Stage } from './stage.ts';

/** A panel of the demo, and the hand of somebody who stands before it. */
export interface Panel {
  /** Presses the call button, or dials a number. */
  call: (number?: string) => Promise<void>;
  sos: () => Promise<void>;
  hangUp: () => Promise<void>;
}

/** The panel of this name, once it is brought to life and its phone may call. */
export async function panelAt(stage: Stage, name: string): Promise<Panel> {
  const id = await simulated(stage, name, ({ phone }) => phone?.state !== 'unregistered');
  const act = async (body: { act: 'call'; number?: string } | { act: 'sos' | 'hang_up' }): Promise<void> => {
    const { status } = await api(stage.server, 'POST', `/simulator/devices/${id}`, { token: stage.token, body });
    if (status !== 200) throw new Error(`${body.act} at ${name}: ${status}`);
  };
  return {
    call: (number) => act({ act: 'call', ...(number !== undefined && { number }) }),
    sos: () => act({ act: 'sos' }),
    hangUp: () => act({ act: 'hang_up' }),
  };
}
