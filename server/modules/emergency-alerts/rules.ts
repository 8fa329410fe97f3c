import { eq } from 'drizzle-orm';
import { mayHappenToAlert } from '#machines/lifecycles/emergency-alert.machine.ts';
import type { EmergencyAlertStatus } from '#models/emergency-alerts.ts';
import type { Change } from '#server/crud/repository.ts';
import { emergencyAlerts } from '#server/db/schema/index.ts';
import { removeFile } from '#server/files.ts';
import { HttpError } from '#server/http-error.ts';

/** What is out stays as people have it on their screens. */
export async function prepareAlert({ verb, before }: Change): Promise<void> {
  if (verb === 'edit' && !mayHappenToAlert(before?.['status'] as EmergencyAlertStatus, 'alert.change')) throw new HttpError('editing_prohibited');
}

/** An alert is stopped before it is deleted; its recording goes with it. */
export async function beforeAlertDelete({ services, tx, id, later }: Change): Promise<void> {
  const [row] = await tx
    .select({ status: emergencyAlerts.status, file: emergencyAlerts.soundFile })
    .from(emergencyAlerts)
    .where(eq(emergencyAlerts.id, id))
    .for('update');
  if (row && !mayHappenToAlert(row.status, 'alert.delete')) throw new HttpError('deleting_prohibited');
  const file = row?.file;
  if (file) later(() => removeFile(services, file));
}
