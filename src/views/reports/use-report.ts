import { useContext, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LicencesByPeriod, LicencesUsed } from '#models/licence-reports.ts';
import { ClockworkContext } from '#src/components/when.tsx';
import { useRequest } from '../area/use-request.ts';
import { useWorkspace } from '../system.ts';
import { readAddress, type ReportAddress, writeAddress } from './report-address.ts';

/** The report that the address asks for, and its file. What was answered last stays while another is read. */
export function useReport() {
  const [params, setParams] = useSearchParams();
  const clockwork = useContext(ClockworkContext);
  const workspace = useWorkspace();
  const asked = params.toString();
  const address = useMemo(() => readAddress(new URLSearchParams(asked), clockwork, clockwork.now()), [asked, clockwork]);
  const [used, setUsed] = useState<LicencesUsed | null>(null);
  const [report, setReport] = useState<LicencesByPeriod | null>(null);
  const now = useRequest('licencesUsed', { done: setUsed });
  const period = useRequest('licencesByPeriod', { done: setReport });
  const file = useRequest('licenceReportFile', {
    done: (job) => workspace.send({ type: 'job.start', request: { kind: 'adopt', area: 'audit-events', job } }),
  });
  const { run: readUsed } = now;
  const { run: readPeriod } = period;
  const { group } = address;
  useEffect(() => readUsed({ body: { group } }), [readUsed, group]);
  useEffect(() => readPeriod({ body: address }), [readPeriod, address]);
  return {
    address,
    used,
    report,
    now,
    period,
    file,
    retry: () => {
      readUsed({ body: { group } });
      readPeriod({ body: address });
    },
    change: (part: Partial<ReportAddress>): void => setParams(() => writeAddress({ ...address, ...part }), { replace: true }),
  };
}
