import { lengthOf } from '#models/time.ts';
import type { Services } from '#server/context.ts';
import { asSeats } from '#server/licences/use/count.ts';
import { reckonUse } from '#server/licences/use/reckon.ts';
import { capacityNow, readCounted, secondsOf } from '#server/licences/features.ts';
import { licenceUse } from '../schema/index.ts';
import { insertRows } from './insert-rows.ts';
import type { DemoGroup } from './tree.ts';

const day = lengthOf(1, 'day');
const days = 45;

/** Six weeks of counted days, as if the server had run all the while; those before are reckoned. Of groups, the whole and its buildings. */
export async function seedLicenceUse(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { id: projectId, tree, at }: { id: string; tree: readonly DemoGroup[]; at: Date },
): Promise<void> {
  const counted = await readCounted({ db, config }, projectId);
  const midnight = Math.floor(at.getTime() / day) * day;
  const moments = Array.from({ length: days }, (_, index) => midnight - (days - 1 - index) * day);
  const places = [null, ...tree.flatMap(({ id, type }) => (type === 'Complex' || type === 'Building' ? [id] : []))];
  for (const groupId of places) {
    const used = await reckonUse(db, projectId, groupId, moments);
    const rows = moments.map((moment, index) => {
      const { features } = capacityNow(counted, secondsOf(new Date(moment)));
      const seats = asSeats(used[index] ?? { sip: 0, mobile_app: 0, ukey2: 0 }, (feature) =>
        groupId === null ? features[feature].license_count : null,
      );
      return { projectId, groupId, day: new Date(moment).toISOString().slice(0, 10), seats };
    });
    const changed = rows.filter(
      ({ seats }, index) => groupId === null || index === 0 || JSON.stringify(seats) !== JSON.stringify(rows[index - 1]?.seats),
    );
    await insertRows(db, licenceUse, changed);
  }
}
