import { eq, sql } from 'drizzle-orm';
import type { LicenceSettings } from '#models/licences.ts';
import { audit } from '../audit.ts';
import type { Principal, Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { licenceSettings, projects } from '../db/schema/index.ts';

/** What a project's new top groups start with. */
export async function readSettings(db: Db, projectId: string): Promise<LicenceSettings> {
  const [stored] = await db
    .select({ basic_period_days: licenceSettings.basicPeriodDays, basic_quantity: licenceSettings.basicQuantity })
    .from(licenceSettings)
    .where(eq(licenceSettings.projectId, projectId));
  return stored ?? { basic_period_days: null, basic_quantity: null };
}

/** Changes what a project's new top groups start with. */
export async function changeSettings(services: Services, principal: Principal, settings: LicenceSettings): Promise<void> {
  const { projectId } = principal;
  await services.db.transaction(async (tx) => {
    await tx.execute(sql`select ${projects.id} from ${projects} where ${projects.id} = ${projectId} for update`);
    const before = await readSettings(tx, projectId);
    const differing = (['basic_period_days', 'basic_quantity'] as const).filter((key) => before[key] !== settings[key]);
    if (differing.length === 0) return;
    const values = { basicPeriodDays: settings.basic_period_days, basicQuantity: settings.basic_quantity };
    await tx
      .insert(licenceSettings)
      .values({ projectId, ...values })
      .onConflictDoUpdate({ target: licenceSettings.projectId, set: values });
    const changes = Object.fromEntries(differing.map((key) => [key, { before: before[key], after: settings[key] }]));
    await audit(tx, principal, { area: 'licenses', action: 'update', changes }, services.now());
  });
}
