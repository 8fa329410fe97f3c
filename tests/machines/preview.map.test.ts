import type { EventFromLogic } from 'xstate';
import { describe } from 'vitest';
import { previewMachine } from '#machines/preview.machine.ts';
import { allLicensed, nothingLicensed } from '#models/licence-info.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';
import { anna, uuid } from '#tests/support/people.ts';

const role = { id: uuid(20), name: 'Concierge', permissions: ['can_view_all_users'], available_roles: [] };
const samples = {
  'profile.changed': { type: 'profile.changed', profile: { ...anna, version: '2' } },
  'preview.change': { type: 'preview.change', viewpoint: { role, licences: nothingLicensed } },
  'preview.stop': { type: 'preview.stop' },
} satisfies Samples<EventFromLogic<typeof previewMachine>>;

describe('a preview of a role', () => {
  mapTests(previewMachine, { inputs: [{ profile: anna, viewpoint: { role, licences: allLicensed } }], samples, answers: { holdWrites: [] } });
});
