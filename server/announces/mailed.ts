import { eq } from 'drizzle-orm';
import type { MailReason } from '#models/mail.ts';
import type { Db } from '../db/database.ts';
import { announceMessages } from '../db/schema/index.ts';

/** What became of a mail is what became of the message it carried. */
export async function settleMailed(db: Db, mailId: string, at: Date, reason: MailReason | null = null): Promise<void> {
  await db
    .update(announceMessages)
    .set({ state: reason === null ? 'sent' : 'failed', reason, changedAt: at })
    .where(eq(announceMessages.mailId, mailId));
}
