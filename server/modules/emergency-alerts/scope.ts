import { eq, sql } from 'drizzle-orm';
import { type AreaScope, everything, ownTree } from '#server/access/measures.ts';
import { emergencyAlertGroups, emergencyAlerts } from '#server/db/schema/index.ts';

export const emergencyAlertsScope: AreaScope = {
  table: emergencyAlerts,
  measures: {
    all: () => everything,
    own: (principal) => eq(emergencyAlerts.createdBy, principal.id),
    descendants: (principal) => sql`${emergencyAlerts.id} in (select ${emergencyAlertGroups.alertId} from ${emergencyAlertGroups}
      where ${emergencyAlertGroups.groupId} = any(${ownTree(principal)}))`,
  },
};
