import type { FastifyInstance } from 'fastify';
import type { AreaName } from '#models/areas.ts';
import type { Services } from '../context.ts';
import type { AreaRepository } from '../crud/repository.ts';
import { serveArea } from '../crud/routes.ts';
import type { Totals } from '../crud/totals.ts';
import { serveBulkJobs } from '../bulk/routes.ts';
import { Jobs } from '../jobs/jobs.ts';
import { serveAccess } from './access/routes.ts';
import { accessControlEventsRepository } from './access-control-events/repository.ts';
import { serveAccessMatrix } from './access-matrix/routes.ts';
import { serveAccessEffect } from './access-effect/routes.ts';
import { accessRulesRepository } from './access-rules/repository.ts';
import { alarmCallsRepository } from './alarm-calls/repository.ts';
import { amenitiesRepository } from './amenities/repository.ts';
import { serveAmenities } from './amenities/routes.ts';
import { amenityReservationsRepository } from './amenity-reservations/repository.ts';
import { serveReservations } from './amenity-reservations/routes.ts';
import { serveBackups } from './backups/routes.ts';
import { callHistoryRepository } from './call-history/repository.ts';
import { serveAudit } from './audit-events/routes.ts';
import { announcesRepository } from './announces/repository.ts';
import { serveAnnounces } from './announces/routes.ts';
import { emergencyAlertsRepository } from './emergency-alerts/repository.ts';
import { serveEmergencyAlerts } from './emergency-alerts/routes.ts';
import { auditEventsRepository } from './audit-events/repository.ts';
import { serveCalendarFeeds } from './calendar-feeds/routes.ts';
import { serveConversations } from './conversations/routes.ts';
import { serveCalls } from './calls/routes.ts';
import { deviceAlarmsRepository } from './device-alarms/repository.ts';
import { serveAlarms } from './device-alarms/routes.ts';
import { deviceEventsRepository } from './device-events/repository.ts';
import { deviceTasksRepository } from './device-tasks/repository.ts';
import { serveDeviceTasks } from './device-tasks/routes.ts';
import { devicesRepository } from './devices/repository.ts';
import { serveDevices } from './devices/routes.ts';
import { elevatorAccessRulesRepository } from './elevator-access-rules/repository.ts';
import { elevatorEventsRepository } from './elevator-events/repository.ts';
import { elevatorsRepository } from './elevators/repository.ts';
import { serveElevators } from './elevators/routes.ts';
import { forwardRulesRepository } from './forward-rules/repository.ts';
import { groupTypesRepository } from './group-types/repository.ts';
import { groupsRepository } from './groups/repository.ts';
import { serveGroups } from './groups/routes.ts';
import { guestIdentifiersRepository } from './guest-identifiers/repository.ts';
import { serveGuests } from './guest-identifiers/routes.ts';
import { serveHome } from './home/routes.ts';
import { serveImport } from '../import/routes.ts';
import { identifiersRepository } from './identifiers/repository.ts';
import { identifiersImporter } from './identifiers/import.ts';
import { usersImporter } from './users/import.ts';
import { devicesImporter } from './devices/import.ts';
import { serveEnrolments } from './enrolments/routes.ts';
import { serveIdentifiers } from './identifiers/routes.ts';
import { integrationsRepository } from './integrations/repository.ts';
import { serveIntegrations } from './integrations/routes.ts';
import { serveJobs } from './jobs/routes.ts';
import { serveLicenceReports } from './licences/reports.ts';
import { serveLicences } from './licences/routes.ts';
import { serveDemoAccounts } from './demo/accounts.ts';
import { serveMails } from './mails/routes.ts';
import { mailTemplatesRepository } from './mail-templates/repository.ts';
import { serveMailTemplates } from './mail-templates/routes.ts';
import { serveSavedViews } from './saved-views/routes.ts';
import { serveNotifications } from './notifications/routes.ts';
import { markersRepository } from './markers/repository.ts';
import { servePasskeys } from './passkeys/routes.ts';
import { serveMobileClients } from './mobile-clients/routes.ts';
import { servePush } from './push/routes.ts';
import { serveSecondFactor } from './second-factor/routes.ts';
import { serveRecovery } from './recovery/routes.ts';
import { serveProjectSettings } from './project-settings/routes.ts';
import { serveRegistration } from './registration/routes.ts';
import { rolesRepository } from './roles/repository.ts';
import { schedulesRepository } from './schedules/repository.ts';
import { serveSearch } from './search/routes.ts';
import { serveSimulator } from './simulator/routes.ts';
import { sipNumbersRepository } from './sip-numbers/repository.ts';
import { serveSipNumbers } from './sip-numbers/routes.ts';
import { sipTrunksRepository } from './sip-trunks/repository.ts';
import { serveIpBlocking } from './system/ip-blocking.ts';
import { serveSystem } from './system/routes.ts';
import { ukey2Repository } from './ukey2/repository.ts';
import { serveUkey2 } from './ukey2/routes.ts';
import { serveWallet } from './wallet/routes.ts';
import { usersRepository } from './users/repository.ts';
import { serveUsers } from './users/routes.ts';

/** Every area in the database, one line each. */
const repositories: Readonly<Record<AreaName, AreaRepository>> = {
  users: usersRepository,
  roles: rolesRepository,
  groups: groupsRepository,
  'group-types': groupTypesRepository,
  markers: markersRepository,
  'audit-events': auditEventsRepository,
  devices: devicesRepository,
  'device-events': deviceEventsRepository,
  'device-tasks': deviceTasksRepository,
  'device-alarms': deviceAlarmsRepository,
  'alarm-calls': alarmCallsRepository,
  'sip-numbers': sipNumbersRepository,
  'forward-rules': forwardRulesRepository,
  'sip-trunks': sipTrunksRepository,
  'call-history': callHistoryRepository,
  identifiers: identifiersRepository,
  'guest-identifiers': guestIdentifiersRepository,
  ukey2: ukey2Repository,
  integrations: integrationsRepository,
  'mail-templates': mailTemplatesRepository,
  announces: announcesRepository,
  schedules: schedulesRepository,
  'access-rules': accessRulesRepository,
  'access-control-events': accessControlEventsRepository,
  elevators: elevatorsRepository,
  'elevator-access-rules': elevatorAccessRulesRepository,
  'elevator-events': elevatorEventsRepository,
  amenities: amenitiesRepository,
  'emergency-alerts': emergencyAlertsRepository,
  'amenity-reservations': amenityReservationsRepository,
};

/** What areas do besides, and what belongs to none. */
const besides: readonly ((app: FastifyInstance, services: Services) => void)[] = [
  serveUsers,
  serveAccessEffect,
  serveRegistration,
  serveRecovery,
  serveSecondFactor,
  servePasskeys,
  serveMobileClients,
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
  for (const repository of Object.values(repositories)) serveArea(app, { services, jobs, totals, repositories }, repository);
  for (const serve of besides) serve(app, services);
  serveAccessMatrix(app, services, jobs);
  serveLicenceReports(app, services, jobs);
  serveGroups(app, services, jobs);
  serveAudit(app, services, repositories);
  serveBulkJobs(app, services, jobs, repositories);
  serveJobs(app, services, jobs);
  serveBackups(app, services, jobs);
  serveSipNumbers(app, services, jobs);
  serveImport(app, services, jobs, identifiersImporter);
  serveImport(app, services, jobs, usersImporter);
  serveImport(app, services, jobs, devicesImporter);
}
