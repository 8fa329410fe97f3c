import { expect, it } from 'vitest';
import { allLicensed, licensed, nothingLicensed } from '#models/licence-info.ts';
import { beyondOwn, hasFeature, previewFeatures, viewedAs, withFeature } from '#models/preview.ts';
import { anna, uuid } from '#tests/support/people.ts';

const role = { id: uuid(20), name: 'Concierge', permissions: ['can_view_all_users', 'can_edit_all_users'], available_roles: [uuid(21)] };

it('a previewed role gives nobody more than they have, and no more than it has', () => {
  const shown = viewedAs({ ...anna, role: { ...role, permissions: ['can_view_all_users', 'can_create_users'] } }, { role, licences: allLicensed });
  expect(shown.role).toEqual({ ...role, permissions: ['can_view_all_users'] });
  expect(viewedAs({ ...anna, role: null }, { role, licences: allLicensed }).role?.permissions).toEqual([]);
  expect(beyondOwn({ role: { ...role, permissions: ['can_view_all_users'] } }, role)).toBe(1);
});

it('a feature that is switched off, or that the person is not licensed for, is not licensed in a preview', () => {
  for (const feature of previewFeatures) {
    const shown = viewedAs(anna, { role, licences: withFeature(allLicensed, feature, false) });
    expect([feature, licensed(feature, shown.features, shown.license_info)]).toEqual([feature, false]);
    expect(hasFeature(withFeature(nothingLicensed, feature, true), feature)).toBe(true);
  }
  expect(viewedAs({ ...anna, features: nothingLicensed }, { role, licences: allLicensed }).features).toEqual(nothingLicensed);
});
