import { z } from 'zod';
import { type Access, byId, call } from './define-call.ts';
import { licenceInfo } from './licence-info.ts';
import { groupAllowance, licenceStatusReport, licenceOverview, licenceSettings, seatHolder } from './licences.ts';
import { flag } from './rules.ts';
import { countedFeatures } from './seats.ts';

const seesLicences = { codes: ['can_view_licenses', 'can_manage_licenses'], about: 'licenses' } as const satisfies Access;
const managesLicences = { codes: ['can_manage_licenses'], about: 'licenses' } as const satisfies Access;

/** The licences of a project and of its groups. */
export const licenceCalls = {
  features: call({
    method: 'GET',
    path: '/licenses/feature-state',
    access: 'signedIn',
    summary: 'Features licensed for the project',
    answer: licenceInfo,
  }),
  licences: call({
    method: 'GET',
    path: '/licenses',
    access: seesLicences,
    summary: 'The licences of the project, the ids of those in effect, what they provide together and how much of it is used',
    answer: licenceOverview,
  }),
  licenceStatusReport: call({
    method: 'GET',
    path: '/licenses/outlook',
    access: 'signedIn',
    summary: 'Licences that expire soon or have expired, for users who manage them, and when the next change is due',
    answer: licenceStatusReport,
  }),
  addLicenceFile: call({
    method: 'POST',
    path: '/licenses/file',
    access: managesLicences,
    summary: 'Add a licence from its signed file, or replace one with a newer edition',
    files: ['licence'],
    answer: licenceOverview,
  }),
  addLicenceCloud: call({
    method: 'POST',
    path: '/licenses/cloud',
    access: managesLicences,
    summary: "Add what the vendor's cloud has for the project",
    answer: z.strictObject({ added: z.int(), renewed: z.int(), overview: licenceOverview }),
  }),
  licenceSettings: call({
    method: 'PATCH',
    path: '/licenses/settings',
    access: managesLicences,
    summary: 'Change the basic licence given to new top-level groups',
    body: licenceSettings,
    answer: licenceOverview,
  }),
  switchLicence: call({
    method: 'PATCH',
    path: '/licenses/{id}',
    access: managesLicences,
    summary: 'Switch a licence on or off',
    params: byId,
    body: z.strictObject({ is_enabled: flag() }),
    answer: licenceOverview,
  }),
  removeLicence: call({
    method: 'DELETE',
    path: '/licenses/{id}',
    access: managesLicences,
    summary: 'Remove a licence; its features stop immediately',
    params: byId,
    answer: licenceOverview,
  }),
  licenceSeats: call({
    method: 'GET',
    path: '/licenses/seats/{feature}',
    access: seesLicences,
    summary: 'Users of a feature’s seats, as far as the user can view them',
    params: z.strictObject({ feature: z.enum(countedFeatures) }),
    answer: z.array(seatHolder),
  }),
  groupAllowance: call({
    method: 'GET',
    path: '/groups/{id}/licence',
    access: { area: 'groups', verb: 'view' },
    summary: 'What a group can be licensed for, and what its users use',
    params: byId,
    answer: groupAllowance,
  }),
  groupSeats: call({
    method: 'GET',
    path: '/groups/{id}/seats/{feature}',
    access: { area: 'groups', verb: 'view' },
    summary: 'Users of a feature’s seats in a group and its subgroups, as far as the user can view them',
    params: z.strictObject({ id: z.uuid(), feature: z.enum(countedFeatures) }),
    answer: z.array(seatHolder),
  }),
  userLicence: call({
    method: 'GET',
    path: '/users/{id}/licence',
    access: { area: 'users', verb: 'view' },
    summary: 'What the project and groups license for a user; the user’s own flags can only restrict it',
    params: byId,
    answer: licenceInfo,
  }),
} as const;
