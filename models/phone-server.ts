import { z } from 'zod';
import { call } from './define-call.ts';
import { flag, wholeNumber } from './rules.ts';
import { host } from './web-address.ts';

/** The SIP server of somebody else with which web phones register, by WebSocket. */
export const phoneServer = z.strictObject({
  host: host(),
  port: wholeNumber(1, 65_535),
  /** wss; where not, plain ws. */
  secure: flag(),
  /** The domain of its numbers, where that is not the host. */
  realm: host().nullable(),
});
export type PhoneServer = z.infer<typeof phoneServer>;

/** What a project has set; null: web phones register with this server. */
export const phoneServerSetting = z.strictObject({ server: phoneServer.nullable() });

const about = 'sip-numbers';

/** The setting of a project that names the SIP server of its web phones. */
export const phoneServerCalls = {
  phoneServer: call({
    method: 'GET',
    path: '/sip-numbers/server',
    access: { codes: ['can_view_project_settings', 'can_change_project_settings'], about },
    feature: 'sip',
    summary: 'With which SIP server the project’s web phones register; null: this one',
    answer: phoneServerSetting,
  }),
  setPhoneServer: call({
    method: 'PUT',
    path: '/sip-numbers/server',
    access: { codes: ['can_change_project_settings'], about },
    feature: 'sip',
    summary: 'Have the project’s web phones register with another SIP server, or (null) with this one',
    body: phoneServerSetting,
    answer: phoneServerSetting,
  }),
} as const;
