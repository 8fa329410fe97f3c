import { eq, sql } from 'drizzle-orm';
import { byRules } from '#server/crud/repository.ts';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong, oneGroup } from '#server/crud/group-path.ts';
import { isoTime, linkedRows, stampsOf } from '#server/crud/json.ts';
import { devices, groups, integrationDeliveries, integrations } from '#server/db/schema/index.ts';
import { groupsServed } from './links.ts';
import { beforeIntegrationDelete, prepareIntegration, settleIntegration } from './rules.ts';

const { id, name, type, isActive, domainId, url, login, rtspUrl, cameras, createdAt, updatedAt, createdBy } = integrations;
const { deviceEvents, alarms, calls, access, failingSince, stoppedAt, lastError, certificateInfo } = integrations;

/** Integrations in the database; their secrets go in (rules.ts) and never come out. */
export const integrationsRepository = defineRepository({
  area: 'integrations',
  table: integrations,
  compared: {
    name: { column: name },
    type: { column: type },
    domain_id: { column: domainId, area: 'groups' },
    url: { column: url },
    is_active: { column: isActive },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(integrations),
    name: sql`${name}`,
    type: sql`${type}`,
    is_active: sql`${isActive}`,
    domain_id: oneGroup(scope, domainId),
    domains: linkedRows(scope, groupsServed, groups, id, { path: namesAlong(scope, groups.path) }),
    url: sql`${url}`,
    events: sql`json_build_object('device_events', ${deviceEvents}, 'alarms', ${alarms}, 'calls', ${calls}, 'access', ${access})`,
    login: sql`${login}`,
    rtsp_url: sql`${rtspUrl}`,
    cameras: sql`${cameras}`,
    has_secret: sql`(${integrations.secretCipher} is not null)`,
    has_password: sql`(${integrations.passwordCipher} is not null)`,
    certificate_info: sql`${certificateInfo}`,
    state: sql`case when not ${isActive} then 'off' when ${stoppedAt} is not null then 'stopped' when ${failingSince} is not null then 'failing' else 'working' end`,
    waiting_count: sql`(select count(*)::int from ${integrationDeliveries} where ${integrationDeliveries.integrationId} = ${id} and ${integrationDeliveries.deliveredAt} is null)`,
    failing_since: isoTime(failingSince),
    stopped_at: isoTime(stoppedAt),
    last_error: sql`${lastError}`,
    created_by: sql`${createdBy}`,
  }),
  dependants: [{ area: 'devices', where: (own) => eq(sql`${devices.settings}->'integration_axxon'->>'integration'`, own) }],
  written: {
    name: 'name',
    type: 'type',
    is_active: 'isActive',
    domain_id: 'domainId',
    domains: { link: groupsServed },
    url: 'url',
    secret: byRules,
    events: { parts: { device_events: 'deviceEvents', alarms: 'alarms', calls: 'calls', access: 'access' } },
    login: 'login',
    password: byRules,
    rtsp_url: 'rtspUrl',
    cameras: 'cameras',
    certificate: byRules,
  },
  prepare: prepareIntegration,
  settle: settleIntegration,
  beforeDelete: beforeIntegrationDelete,
});
