import { useContext, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ClockworkContext } from '#src/components/when.tsx';
import { useReading } from '../area/use-reading.ts';
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
  const used = useReading('licencesUsed', { body: { group: address.group } });
  const period = useReading('licencesByPeriod', { body: address });
  const file = useRequest('licenceReportFile', {
    done: (job) => workspace.send({ type: 'job.start', request: { kind: 'adopt', area: 'audit-events', job } }),
  });
  const change = (part: Partial<ReportAddress>): void => setParams(() => writeAddress({ ...address, ...part }), { replace: true });
  return { address, used, period, file, change };
}
