import { defineForm } from '../define-form.ts';
import { ipBlockingCalls } from '../ip-blocking.ts';
import { toIssues } from '../issues.ts';

/** An address or a range that is never to be blocked. */
export const whitelistForm = defineForm({
  name: 'whitelist',
  call: 'addToWhitelist',
  start: () => ({ ip: '' }),
  read: ({ ip }) => {
    const read = ipBlockingCalls.addToWhitelist.body.safeParse({ ips: [ip] });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error).map((issue) => ({ ...issue, path: ['ip'] })) };
  },
});
