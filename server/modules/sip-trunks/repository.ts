import { sql } from 'drizzle-orm';
import { byRules, type Link } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { linkedRows, stampsOf } from '#server/crud/json.ts';
import { groups, sipTrunkGroups, sipTrunks } from '#server/db/schema/index.ts';
import { prepareTrunk, settleTrunk } from './rules.ts';

const served: Link = { area: 'groups', table: sipTrunkGroups, own: sipTrunkGroups.trunkId, other: sipTrunkGroups.groupId };
const { name, terminationUri, outgoingNumber, login, passwordCipher, createdAt, updatedAt, createdBy } = sipTrunks;
const { incomingAuthentication, allowPanelCalls, allowPanelKeys } = sipTrunks;
/** SIP trunks in the database; the password goes in (rules.ts) and never comes out. */
export const sipTrunksRepository = defineRepository({
  area: 'sip-trunks',
  table: sipTrunks,
  compared: {
    name: { column: name },
    termination_uri: { column: terminationUri },
    outgoing_number: { column: outgoingNumber },
    groups: { link: served },
    incoming_authentication: { column: incomingAuthentication },
    allow_panel_calls: { column: allowPanelCalls },
    allow_panel_keys: { column: allowPanelKeys },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(sipTrunks),
    name: sql`${name}`,
    termination_uri: sql`${terminationUri}`,
    outgoing_number: sql`${outgoingNumber}`,
    login: sql`${login}`,
    has_password: sql`(${passwordCipher} is not null)`,
    groups: linkedRows(scope, served, groups, sipTrunks.id, { path: namesAlong(scope, groups.path) }),
    incoming_authentication: sql`${incomingAuthentication}`,
    allow_panel_calls: sql`${allowPanelCalls}`,
    allow_panel_keys: sql`${allowPanelKeys}`,
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: {
    name: 'name',
    termination_uri: 'terminationUri',
    outgoing_number: 'outgoingNumber',
    login: 'login',
    password: byRules,
    groups: { link: served },
    incoming_authentication: 'incomingAuthentication',
    allow_panel_calls: 'allowPanelCalls',
    allow_panel_keys: 'allowPanelKeys',
  },
  prepare: prepareTrunk,
  settle: settleTrunk,
});
