import { defineDraft } from '../define-form.ts';
import { deviceCalls } from '../device-calls.ts';
import { type Issue, toIssues } from '../issues.ts';

/** A range of addresses to be searched. */
export interface AddressRange {
  start_ip: string;
  end_ip: string;
}

const body = deviceCalls.searchDevices.body.omit({ request_id: true });
/** The most addresses one search looks at. */
export const mostAddresses = 1_024;
const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** What is wrong with a range besides its addresses: it must run upwards and be no longer than a search may be. */
function lengthIssues({ start_ip: from, end_ip: to }: AddressRange): Issue[] {
  const length = numberOf(to) - numberOf(from) + 1;
  if (length < 1) return [{ path: ['end_ip', 'order'], rule: 'invalid', params: {} }];
  return length > mostAddresses ? [{ path: ['end_ip', 'size'], rule: 'invalid', params: {} }] : [];
}

/** The first and the last address to be searched for devices; `end_ip.order` and `end_ip.size` say what is wrong with the two together. */
export const addressRangeForm = defineDraft({
  name: 'address-range',
  start: (range: AddressRange) => range,
  read: (draft) => {
    const read = body.safeParse(draft);
    if (!read.success) return { issues: toIssues(read.error) };
    const issues = lengthIssues(read.data);
    return issues.length > 0 ? { issues } : { value: read.data };
  },
});
