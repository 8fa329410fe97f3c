import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { allLicensed, nothingLicensed } from '#models/licence-info.ts';
import { loadLicences } from '#server/access/load-licences.ts';
import { groups } from '#server/db/schema/index.ts';
import { credentialOf } from '#tests/support/credential.ts';
import { buildEstate, type Estate } from './estate.ts';
import { openTestServer, type TestServer } from './support.ts';

type Place = keyof Estate['groups'];
let server: TestServer;
let estate: Estate;
const key = credentialOf({ id: 'key', type: 'ukey2' });

beforeAll(async () => {
  server = await openTestServer();
  estate = await buildEstate(server.services);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.services.db.update(groups).set({ licence: {} });
});

const licence = { info: { ...allLicensed, ukey2: { ...allLicensed.ukey2, is_enabled: false } } };
const switchOff = (place: Place) => server.services.db.update(groups).set({ licence }).where(eq(groups.id, estate.groups[place]));
/** Whether mobile keys are licensed for somebody in these groups. */
async function isLicensed(...places: Place[]): Promise<boolean> {
  const { of } = await loadLicences(server.services, estate.here, server.services.now(), [key]);
  const ids = places.map((place) => estate.groups[place]);
  return of(ids, allLicensed).some(({ feature }) => feature === 'ukey2');
}

it('what a group has not is licensed neither in it nor below', async () => {
  await switchOff('north');
  const places: Place[] = ['town', 'north', 'n1', 'n2', 'south', 's1'];
  const answers = await Promise.all(places.map((place) => isLicensed(place)));
  expect(places.filter((_, at) => answers[at])).toEqual(['town', 'south', 's1']);
});

it('what a group above has is not had by one below that has it not', async () => {
  await switchOff('n1');
  expect([await isLicensed('north'), await isLicensed('n1'), await isLicensed('n2')]).toEqual([true, false, true]);
});

it('of several groups one suffices; without any nothing is licensed, nor without one’s own flag', async () => {
  await switchOff('n1');
  expect([await isLicensed('n1', 's1'), await isLicensed('s1', 'n1'), await isLicensed()]).toEqual([true, true, false]);
  const { of, ofProject } = await loadLicences(server.services, estate.here, server.services.now(), [key]);
  expect([of([estate.groups.s1], nothingLicensed), ofProject.map(({ feature }) => feature)]).toEqual([
    [],
    ['licensePlate', 'ukey2', 'guests', 'guestFaces'],
  ]);
});
