import { useSelector } from '@xstate/react';
import { useCallback, useEffect, useState } from 'react';
import type { LicenceOverview } from '#models/licences.ts';
import type { Problem } from '#models/problem.ts';
import { useRequest } from '../area/use-request.ts';
import { useAlerts, useLicence } from '../system.ts';

/** The licences of the project, read anew whenever they change anywhere, and what can be done with them. */
export interface Licences {
  overview: LicenceOverview | null;
  /** Why nothing can be shown. */
  problem: Problem | null;
  load: () => void;
  /** Why the last licence could not be added. */
  refused: Problem | null;
  adding: 'file' | 'cloud' | null;
  addFile: (licence: Blob) => void;
  addFromCloud: () => void;
  /** The licence that is being changed. */
  busy: boolean;
  setEnabled: (id: string, is_enabled: boolean) => void;
  remove: (id: string) => void;
  /** Takes over what a form about licences was answered. */
  adopt: (overview: LicenceOverview) => void;
}

/** What is said of a call that has been answered, and of one that failed. */
function useWords() {
  const alerts = useAlerts();
  return {
    say: (key: string, params?: Record<string, number>): void =>
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key, ...(params && { params }) } }),
    failed: (problem: Problem): void => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } }),
  };
}

/** The overview as it was read last, by this hook or by a call that answers it. */
function useOverview() {
  const licenceStatus = useSelector(useLicence(), (snapshot) => snapshot?.context.licenceStatus ?? null);
  const [overview, setOverview] = useState<LicenceOverview | null>(null);
  const reading = useRequest('licences', { done: setOverview });
  const { run } = reading;
  const load = useCallback(() => run({}), [run]);
  // Also when the warning has been read anew: then something may have changed.
  useEffect(load, [load, licenceStatus]);
  return { overview, setOverview, problem: overview ? null : reading.problem, load };
}

/** Reads the overview and keeps what the last call answered; every call answers it whole. */
export function useLicences(): Licences {
  const { say, failed } = useWords();
  const { overview, setOverview, problem, load } = useOverview();
  const changed = (key: string) => (answer: LicenceOverview) => {
    setOverview(answer);
    say(key);
  };
  const file = useRequest('addLicenceFile', { done: changed('areas.licenses.added') });
  const cloud = useRequest('addLicenceCloud', {
    done: ({ overview: answer, added, renewed }) => {
      setOverview(answer);
      say(added + renewed > 0 ? 'areas.licenses.cloud_added' : 'areas.licenses.cloud_nothing', { count: added + renewed });
    },
  });
  const switching = useRequest('switchLicence', { done: changed('areas.licenses.switched'), failed });
  const removal = useRequest('removeLicence', { done: changed('areas.licenses.removed'), failed });
  return {
    overview,
    problem,
    load,
    refused: file.problem ?? cloud.problem,
    adding: file.running ? 'file' : cloud.running ? 'cloud' : null,
    addFile: (licence) => {
      cloud.reset();
      file.run({ files: { licence } });
    },
    addFromCloud: () => {
      file.reset();
      cloud.run({});
    },
    busy: switching.running || removal.running,
    setEnabled: (id, is_enabled) => switching.run({ params: { id }, body: { is_enabled } }),
    remove: (id) => removal.run({ params: { id } }),
    adopt: setOverview,
  };
}
