import { fromPromise } from 'xstate';
import type { CallRequest } from '#machines/form/form.machine.ts';
import type { PaletteDoor } from '#machines/palette/offers.ts';
import { paletteMachine } from '#machines/palette/palette.machine.ts';
import type { ConciergeDevice } from '#models/devices.ts';
import type { Found } from '#models/search.ts';
import type { PaletteStore } from '#src/adapters/palette.ts';

type RunCall = (request: CallRequest) => Promise<unknown>;
const doorOf = ({ id, name, token }: ConciergeDevice): PaletteDoor => ({ id, name, token });

/** The command palette with its ports: three calls of the contract, and what is remembered on this device. */
export const composePalette = (runCall: RunCall, store: PaletteStore) =>
  paletteMachine.provide({
    actors: {
      recallRecent: fromPromise(() => Promise.resolve(store.read())),
      findRows: fromPromise(({ input: { text, recent } }: { input: { text: string; recent: readonly string[] } }): Promise<readonly Found[]> => {
        const query = { ...(text.trim() && { q: text.trim() }), ...(recent.length > 0 && { recent: recent.join(',') }) };
        return runCall({ call: 'search', query }) as Promise<readonly Found[]>;
      }),
      readPaletteDoors: fromPromise(async (): Promise<readonly PaletteDoor[]> =>
        ((await runCall({ call: 'conciergeDevices' })) as ConciergeDevice[]).map(doorOf),
      ),
      openPaletteDoor: fromPromise(async ({ input }: { input: { token: string } }) => {
        const { outcome } = (await runCall({ call: 'openDoor', body: input })) as { outcome: 'confirmed' | 'unconfirmed' };
        return outcome;
      }),
    },
    actions: { saveRecent: (_, { recent }: { recent: readonly string[] }) => store.store(recent) },
  });
