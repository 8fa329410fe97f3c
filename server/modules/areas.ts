import type { FastifyInstance } from 'fastify';
import type { AreaName } from '#models/index.ts';
import type { Services } from '../context.ts';
import type { Binding } from '../crud/binding.ts';
import { serveArea } from '../crud/routes.ts';
import { Jobs } from '../jobs/jobs.ts';
import { auditEventsBinding } from './audit-events/binding.ts';
import { groupTypesBinding } from './group-types/binding.ts';
import { groupsBinding } from './groups/binding.ts';
import { serveGroups } from './groups/routes.ts';
import { serveJobs } from './jobs/routes.ts';
import { serveMails } from './mails/routes.ts';
import { markersBinding } from './markers/binding.ts';
import { serveRegistration } from './registration/routes.ts';
import { rolesBinding } from './roles/binding.ts';
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
};

/** Registers the routes of all areas: the plain ones from their models, then what an area does besides. */
export function registerAreas(app: FastifyInstance, services: Services): void {
  const jobs = new Jobs(services);
  for (const binding of Object.values(bindings)) serveArea(app, { services, jobs, bindings }, binding);
  serveUsers(app, services);
  serveRegistration(app, services);
  serveMails(app, services);
  serveGroups(app, services, jobs);
  serveJobs(app, services, jobs);
}
