import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { type PhoneServer, phoneServerSetting } from '../phone-server.ts';
import { countTyped } from './typed.ts';

/** With which SIP server the web phones register: the console's own, or another one as it was typed. */
export const phoneServerForm = defineForm({
  name: 'phone-server',
  call: 'setPhoneServer',
  start: (server: PhoneServer | null) => ({
    isOther: server !== null,
    host: server?.host ?? '',
    port: String(server?.port ?? 7443),
    realm: server?.realm ?? '',
    secure: server?.secure ?? true,
  }),
  read: ({ isOther, host, port, realm, secure }) => {
    const server = { host: host.trim(), port: countTyped(port), realm: realm.trim() || null, secure };
    const read = phoneServerSetting.safeParse({ server: isOther ? server : null });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
});
