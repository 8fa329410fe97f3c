import type { FastifyInstance } from 'fastify';
import type { AreaName } from '#models/areas.ts';
import type { Services } from '../context.ts';
import type { Binding } from '../crud/binding.ts';
import { serveArea } from '../crud/routes.ts';
import type { Totals } from '../crud/totals.ts';
import { serveBulkJobs } from '../bulk/routes.ts';
import { Jobs } from '../jobs/jobs.ts';
import { serveAccess } from './access/routes.ts';
import { accessControlEventsBinding } from './access-control-events/binding.ts';
import { serveAccessMatrix } from './access-matrix/routes.ts';
import { serveAccessEffect } from './access-effect/routes.ts';
import { accessRulesBinding } from './access-rules/binding.ts';
import { alarmCallsBinding } from './alarm-calls/binding.ts';
import { amenitiesBinding } from './amenities/binding.ts';
import { serveAmenities } from './amenities/routes.ts';
import { amenityReservationsBinding } from './amenity-reservations/binding.ts';
import { serveReservations } from './amenity-reservations/routes.ts';
import { serveBackups } from './backups/routes.ts';
import { callHistoryBinding } from './call-history/binding.ts';
import { serveAudit } from './audit-events/routes.ts';
import { announcesBinding } from './announces/binding.ts';
import { serveAnnounces } from './announces/routes.ts';
import { emergencyAlertsBinding } from './emergency-alerts/binding.ts';
import { serveEmergencyAlerts } from './emergency-alerts/routes.ts';
import { auditEventsBinding } from './audit-events/binding.ts';
import { serveCalendarFeeds } from './calendar-feeds/routes.ts';
import { serveConversations } from './conversations/routes.ts';
import { serveCalls } from './calls/routes.ts';
import { deviceAlarmsBinding } from './device-alarms/binding.ts';
import { serveAlarms } from './device-alarms/routes.ts';
import { deviceEventsBinding } from './device-events/binding.ts';
import { deviceTasksBinding } from './device-tasks/binding.ts';
import { serveDeviceTasks } from './device-tasks/routes.ts';
import { devicesBinding } from './devices/binding.ts';
import { serveDevices } from './devices/routes.ts';
import { elevatorAccessRulesBinding } from './elevator-access-rules/binding.ts';
import { elevatorEventsBinding } from './elevator-events/binding.ts';
import { elevatorsBinding } from './elevators/binding.ts';
import { serveElevators } from './elevators/routes.ts';
import { forwardRulesBinding } from './forward-rules/binding.ts';
import { groupTypesBinding } from './group-types/binding.ts';
import { groupsBinding } from './groups/binding.ts';
import { serveGroups } from './groups/routes.ts';
import { guestIdentifiersBinding } from './guest-identifiers/binding.ts';
import { serveGuests } from './guest-identifiers/routes.ts';
import { serveHome } from './home/routes.ts';
import { serveImport } from '../import/routes.ts';
import { identifiersBinding } from './identifiers/binding.ts';
import { identifiersImporter } from './identifiers/import.ts';
import { usersImporter } from './users/import.ts';
import { devicesImporter } from './devices/import.ts';
import { serveEnrolments } from './enrolments/routes.ts';
import { serveIdentifiers } from './identifiers/routes.ts';
import { integrationsBinding } from './integrations/binding.ts';
import { serveIntegrations } from './integrations/routes.ts';
import { serveJobs } from './jobs/routes.ts';
import { serveLicenceReports } from './licences/reports.ts';
import { serveLicences } from './licences/routes.ts';
import { serveDemoAccounts } from './demo/accounts.ts';
import { serveMails } from './mails/routes.ts';
import { mailTemplatesBinding } from './mail-templates/binding.ts';
import { serveMailTemplates } from './mail-templates/routes.ts';
import { serveSavedViews } from './saved-views/routes.ts';
import { serveNotifications } from './notifications/routes.ts';
import { markersBinding } from './markers/binding.ts';
import { servePasskeys } from './passkeys/routes.ts';
import { servePush } from './push/routes.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import { serveRecovery } from './recovery/routes.ts';
import { serveProjectSettings } from './project-settings/routes.ts';
import { serveRegistration } from './registration/routes.ts';
import { rolesBinding } from './roles/binding.ts';
import { schedulesBinding } from './schedules/binding.ts';
import { serveSearch } from './search/routes.ts';
import { serveSimulator } from './simulator/routes.ts';
import { sipNumbersBinding } from './sip-numbers/binding.ts';
import { serveSipNumbers } from './sip-numbers/routes.ts';
import { sipTrunksBinding } from './sip-trunks/binding.ts';
import { serveIpBlocking } from './system/ip-blocking.ts';
import { serveSystem } from './system/routes.ts';
import { ukey2Binding } from './ukey2/binding.ts';
import { serveUkey2 } from './ukey2/routes.ts';
import { serveWallet } from './wallet/routes.ts';
import { usersBinding } from './users/binding.ts';
import { serveUsers } from './users/routes.ts';

/** Every area in the database, one line each. */
const bindings: Readonly<Record<AreaName, Binding>> = {
  users: usersBinding,
  roles: rolesBinding,
  groups: groupsBinding,
  'group-types': groupTypesBinding,
  markers: markersBinding,
  'audit-events': auditEventsBinding,
  devices: devicesBinding,
  'device-events': deviceEventsBinding,
  'device-tasks': deviceTasksBinding,
  'device-alarms': deviceAlarmsBinding,
  'alarm-calls': alarmCallsBinding,
  'sip-numbers': sipNumbersBinding,
  'forward-rules': forwardRulesBinding,
  'sip-trunks': sipTrunksBinding,
  'call-history': callHistoryBinding,
  identifiers: identifiersBinding,
  'guest-identifiers': guestIdentifiersBinding,
  ukey2: ukey2Binding,
  integrations: integrationsBinding,
  'mail-templates': mailTemplatesBinding,
  announces: announcesBinding,
  schedules: schedulesBinding,
  'access-rules': accessRulesBinding,
  'access-control-events': accessControlEventsBinding,
  elevators: elevatorsBinding,
  'elevator-access-rules': elevatorAccessRulesBinding,
  'elevator-events': elevatorEventsBinding,
  amenities: amenitiesBinding,
  'emergency-alerts': emergencyAlertsBinding,
  'amenity-reservations': amenityReservationsBinding,
};

/** What areas do besides, and what belongs to none. */
const besides: readonly ((app: FastifyInstance, services: Services) => void)[] = [
  serveUsers,
  serveAccessEffect,
  serveRegistration,
  serveRecovery,
  serveSecondFactor,
  servePasskeys,
  servePush,
  serveMails,
  serveMailTemplates,
  serveAnnounces,
  serveEmergencyAlerts,
  serveCalendarFeeds,
  serveSavedViews,
  serveConversations,
  serveDemoAccounts,
  serveSimulator,
  serveHome,
  serveSearch,
  serveNotifications,
  serveDevices,
  serveDeviceTasks,
  serveAlarms,
  serveCalls,
  serveLicences,
  serveIpBlocking,
  serveSystem,
  serveIdentifiers,
  serveEnrolments,
  serveGuests,
  serveUkey2,
  serveWallet,
  serveProjectSettings,
  serveAccess,
  serveIntegrations,
  serveElevators,
  serveAmenities,
  serveReservations,
];

/** Registers the routes of all areas: the plain ones from their models, then what an area does besides. */
export function registerAreas(app: FastifyInstance, services: Services, totals: Totals): void {
  const jobs = new Jobs(services);
  for (const binding of Object.values(bindings)) serveArea(app, { services, jobs, totals, bindings }, binding);
  for (const serve of besides) serve(app, services);
  serveAccessMatrix(app, services, jobs);
  serveLicenceReports(app, services, jobs);
  serveGroups(app, services, jobs);
  serveAudit(app, services, bindings);
  serveBulkJobs(app, services, jobs, bindings);
  serveJobs(app, services, jobs);
  serveBackups(app, services, jobs);
  serveSipNumbers(app, services, jobs);
  serveImport(app, services, jobs, identifiersImporter);
  serveImport(app, services, jobs, usersImporter);
  serveImport(app, services, jobs, devicesImporter);
}
