import type { AreaName } from '#models/areas.ts';
import type { AreaScope } from '../access/measures.ts';
import { accessControlEventsScope } from './access-control-events/scope.ts';
import { accessRulesScope } from './access-rules/scope.ts';
import { alarmCallsScope } from './alarm-calls/scope.ts';
import { announcesScope } from './announces/scope.ts';
import { emergencyAlertsScope } from './emergency-alerts/scope.ts';
import { auditEventsScope } from './audit-events/scope.ts';
import { callHistoryScope } from './call-history/scope.ts';
import { deviceAlarmsScope } from './device-alarms/scope.ts';
import { deviceEventsScope } from './device-events/scope.ts';
import { deviceTasksScope } from './device-tasks/scope.ts';
import { amenitiesScope } from './amenities/scope.ts';
import { amenityReservationsScope } from './amenity-reservations/scope.ts';
import { devicesScope } from './devices/scope.ts';
import { elevatorAccessRulesScope } from './elevator-access-rules/scope.ts';
import { elevatorEventsScope } from './elevator-events/scope.ts';
import { elevatorsScope } from './elevators/scope.ts';
import { forwardRulesScope } from './forward-rules/scope.ts';
import { groupTypesScope } from './group-types/scope.ts';
import { groupsScope } from './groups/scope.ts';
import { guestIdentifiersScope } from './guest-identifiers/scope.ts';
import { identifiersScope } from './identifiers/scope.ts';
import { integrationsScope } from './integrations/scope.ts';
import { mailTemplatesScope } from './mail-templates/scope.ts';
import { markersScope } from './markers/scope.ts';
import { rolesScope } from './roles/scope.ts';
import { schedulesScope } from './schedules/scope.ts';
import { sipNumbersScope } from './sip-numbers/scope.ts';
import { sipTrunksScope } from './sip-trunks/scope.ts';
import { ukey2Scope } from './ukey2/scope.ts';
import { usersScope } from './users/scope.ts';

/** Where the rows of every area belong, one line each. */
export const areaScopes: Readonly<Record<AreaName, AreaScope>> = {
  users: usersScope,
  roles: rolesScope,
  groups: groupsScope,
  'group-types': groupTypesScope,
  markers: markersScope,
  'audit-events': auditEventsScope,
  devices: devicesScope,
  'device-events': deviceEventsScope,
  'device-tasks': deviceTasksScope,
  'device-alarms': deviceAlarmsScope,
  'alarm-calls': alarmCallsScope,
  'sip-numbers': sipNumbersScope,
  'forward-rules': forwardRulesScope,
  'sip-trunks': sipTrunksScope,
  'call-history': callHistoryScope,
  identifiers: identifiersScope,
  'guest-identifiers': guestIdentifiersScope,
  ukey2: ukey2Scope,
  integrations: integrationsScope,
  'mail-templates': mailTemplatesScope,
  announces: announcesScope,
  schedules: schedulesScope,
  'access-rules': accessRulesScope,
  'access-control-events': accessControlEventsScope,
  elevators: elevatorsScope,
  amenities: amenitiesScope,
  'emergency-alerts': emergencyAlertsScope,
  'amenity-reservations': amenityReservationsScope,
  'elevator-access-rules': elevatorAccessRulesScope,
  'elevator-events': elevatorEventsScope,
};
