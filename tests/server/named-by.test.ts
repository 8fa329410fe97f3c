import { expect, it } from 'vitest';
import { namingAnew } from '#server/realtime/named-by.ts';

const renamed = (area: string, field: string) => namingAnew([{ area, action: 'update', changes: { [field]: { before: 'A', after: 'B' } } }]);

it.each(['name', 'parent_id'])('whatever shows the way to a group is read anew when its %s changes: lists with a field for it, and logs', (field) => {
  expect(renamed('groups', field)).toEqual(
    expect.arrayContaining([
      'users',
      'devices',
      'elevators',
      'elevator-access-rules',
      'amenity-reservations',
      'device-alarms',
      'alarm-calls',
      'call-history',
    ]),
  );
});

it('a group whose description changes leaves all others as they were', () => {
  expect(renamed('groups', 'description')).toEqual([]);
});
