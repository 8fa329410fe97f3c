import { sql } from 'drizzle-orm';
import { defineRepository } from '#server/crud/define-repository.ts';
import { namesAlong } from '#server/crud/group-path.ts';
import { fileUrl, inNameOrder, jsonObject, linkedRows, stampsOf } from '#server/crud/json.ts';
import { accessRules, amenities, groups } from '#server/db/schema/index.ts';
import { zoneNameOf } from './columns.ts';
import { groupsOfAmenity, rulesOfAmenity } from './links.ts';
import { beforeAmenityDelete, prepareAmenity, settleAmenity } from './rules.ts';

const { id, name, address, description, isActive, personsMin, personsMax, timeSlots, imageFile, termsFile, createdAt, updatedAt, createdBy } =
  amenities;

/** Amenities in the database. With one go its reservations, which are over by then. */
export const amenitiesRepository = defineRepository({
  area: 'amenities',
  table: amenities,
  compared: {
    name: { column: name, order: inNameOrder(name) },
    address: { column: address },
    description: { column: description },
    is_active: { column: isActive },
    domains: { link: groupsOfAmenity },
    accessRules: { link: rulesOfAmenity },
    created_at: { column: createdAt },
    updated_at: { column: updatedAt },
  },
  shown: (scope) => ({
    ...stampsOf(amenities),
    name: sql`${name}`,
    address: sql`${address}`,
    description: sql`${description}`,
    is_active: sql`${isActive}`,
    domains: linkedRows(scope, groupsOfAmenity, groups, id, { path: namesAlong(scope, groups.path) }),
    accessRules: linkedRows(scope, rulesOfAmenity, accessRules, id),
    numberOfPersons: jsonObject({ min: personsMin, max: personsMax }),
    timeSlots: sql`${timeSlots}`,
    image: fileUrl(imageFile),
    terms_of_use: fileUrl(termsFile),
    time_zone_name: zoneNameOf,
    created_by: sql`${createdBy}`,
  }),
  dependants: [],
  written: {
    name: 'name',
    address: 'address',
    description: 'description',
    is_active: 'isActive',
    domains: { link: groupsOfAmenity },
    accessRules: { link: rulesOfAmenity },
    numberOfPersons: { parts: { min: 'personsMin', max: 'personsMax' } },
    timeSlots: 'timeSlots',
  },
  prepare: prepareAmenity,
  settle: settleAmenity,
  beforeDelete: beforeAmenityDelete,
});
