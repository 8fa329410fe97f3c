import { z } from 'zod';
import { type Access, byId, call } from './define-call.ts';
import { carried, channelStates, deviceAct, issuerModes, licenceActs, licenceFileKinds, scenarioNames, simulatorState } from './simulator.ts';

/** Those who may see devices at all may stage something at the ones they see. */
export const stagesDevices = {
  codes: ['can_view_own_group_devices', 'can_view_descendant_devices', 'can_view_all_devices'],
  about: 'devices',
} as const satisfies Access;
const staged = { access: stagesDevices, demo: true } as const;
const stagesLicences = { codes: ['can_manage_licenses'], about: 'licenses' } as const satisfies Access;

/** The simulator of the demo; elsewhere none of it is there. */
export const demoCalls = {
  simulator: call({
    ...staged,
    method: 'GET',
    path: '/simulator',
    summary: 'The demo: the state of its devices and the running scenario; 404 outside the demo',
    answer: simulatorState,
  }),
  simulatorCarried: call({
    ...staged,
    method: 'GET',
    path: '/simulator/devices/{id}/carried',
    summary: 'The demo: credentials of the residents behind a device',
    params: byId,
    answer: z.array(carried),
  }),
  simulatorAct: call({
    ...staged,
    method: 'POST',
    path: '/simulator/devices/{id}',
    summary: 'The demo: act at a device as a person standing in front of it',
    params: byId,
    body: deviceAct,
    answer: simulatorState,
  }),
  simulatorChannel: call({
    ...staged,
    method: 'POST',
    path: '/simulator/channel',
    summary: 'The demo: cut, delay or restore the realtime channel of the project',
    body: z.strictObject({ state: z.enum(channelStates) }),
    answer: simulatorState,
  }),
  simulatorLicence: call({
    ...staged,
    method: 'POST',
    path: '/simulator/licence',
    access: stagesLicences,
    summary: 'The demo: let the licences of the project expire, or restore them; for users who manage licences',
    body: z.strictObject({ act: z.enum(licenceActs) }),
  }),
  simulatorCloud: call({
    ...staged,
    method: 'POST',
    path: '/simulator/cloud',
    access: stagesLicences,
    summary: 'The demo: set the response of the vendor’s cloud',
    body: z.strictObject({ mode: z.enum(issuerModes) }),
    answer: simulatorState,
  }),
  simulatorLicenceFile: call({
    ...staged,
    method: 'POST',
    path: '/simulator/licence-file',
    access: stagesLicences,
    summary: 'The demo: create a licence file, valid or one that is refused; returns its text',
    body: z.strictObject({ kind: z.enum(licenceFileKinds) }),
    answer: z.string(),
  }),
  playScenario: call({
    ...staged,
    method: 'POST',
    path: '/simulator/scenarios/{name}',
    summary: 'The demo: play a scenario',
    params: z.strictObject({ name: z.enum(scenarioNames) }),
    answer: simulatorState,
  }),
  stopScenario: call({
    ...staged,
    method: 'DELETE',
    path: '/simulator/scenarios',
    summary: 'The demo: stop the running scenario',
    answer: simulatorState,
  }),
} as const;
