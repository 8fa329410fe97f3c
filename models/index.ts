import type { AreaName } from './areas.ts';
import type { AnyModel } from './define-model.ts';
import { modelOf, register } from './registry.ts';
import { accessControlEvents } from './access-control-events.ts';
import { accessRules } from './access-rules.ts';
import { alarmCalls } from './alarm-calls.ts';
import { amenities } from './amenities.ts';
import { amenityReservations } from './amenity-reservations.ts';
import { announces } from './announces.ts';
import { auditEvents } from './audit-events.ts';
import { callHistory } from './call-history.ts';
import { deviceAlarms } from './device-alarms.ts';
import { deviceEvents } from './device-events.ts';
import { deviceTasks } from './device-tasks.ts';
import { devices } from './devices.ts';
import { elevatorAccessRules } from './elevator-access-rules.ts';
import { elevatorEvents } from './elevator-events.ts';
import { elevators } from './elevators.ts';
import { emergencyAlerts } from './emergency-alerts.ts';
import { forwardRules } from './forward-rules.ts';
import { groupTypes } from './group-types.ts';
import { groups } from './groups.ts';
import { guestIdentifiers } from './guest-access.ts';
import { identifiers } from './identifiers.ts';
import { integrations } from './integrations.ts';
import { mailTemplates } from './mail-templates.ts';
import { markers } from './markers.ts';
import { roles } from './roles.ts';
import { schedules } from './schedules.ts';
import { sipNumbers } from './sip-numbers.ts';
import { sipTrunks } from './sip-trunks.ts';
import { ukey2 } from './ukey2.ts';
import { users } from './users.ts';

/** The models of all areas, by their names on the wire: for the server. A page loads each with its area (`modelOf` in `registry.ts`). */
export const models = {
  users,
  roles,
  groups,
  'group-types': groupTypes,
  markers,
  'audit-events': auditEvents,
  devices,
  'device-events': deviceEvents,
  'device-tasks': deviceTasks,
  'device-alarms': deviceAlarms,
  'alarm-calls': alarmCalls,
  'sip-numbers': sipNumbers,
  'forward-rules': forwardRules,
  'sip-trunks': sipTrunks,
  'call-history': callHistory,
  identifiers,
  'guest-identifiers': guestIdentifiers,
  ukey2,
  integrations,
  'mail-templates': mailTemplates,
  announces,
  schedules,
  'access-rules': accessRules,
  'access-control-events': accessControlEvents,
  elevators,
  'elevator-access-rules': elevatorAccessRules,
  'elevator-events': elevatorEvents,
  amenities,
  'emergency-alerts': emergencyAlerts,
  'amenity-reservations': amenityReservations,
} as const satisfies Record<AreaName, unknown>;
for (const model of Object.values(models)) register(model as unknown as AnyModel);
export { modelOf };
