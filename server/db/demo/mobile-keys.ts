import type { Db } from '../database.ts';
import { identifiers, ukey2Activations } from '../schema/index.ts';
import { demoId } from './chance.ts';
import { insertRows } from './insert-rows.ts';

interface Phone {
  userId: string;
  info: string;
  authTime: Date;
  ukey2: string | null;
}

/** The keys that the phones of a demo project hold. */
export async function seedMobileKeys(db: Db, projectId: string, phones: readonly Phone[]): Promise<void> {
  const holding = phones.filter(({ ukey2 }) => ukey2 !== null);
  const idOf = ({ userId }: Phone): string => demoId(`mobile key ${userId}`);
  await insertRows(
    db,
    identifiers,
    holding.map((phone) => ({
      id: idOf(phone),
      version: 1,
      projectId,
      userId: phone.userId,
      type: 'ukey2' as const,
      ownerType: 'owner' as const,
      isActive: true,
      name: phone.info.split(',')[0] ?? phone.info,
      description: phone.ukey2,
      value: demoId(`key of ${phone.userId}`),
      lockNumbers: [],
      periodRestrictActive: false,
      passesRestrictActive: false,
      passesCount: 0,
      createdAt: phone.authTime,
      updatedAt: phone.authTime,
    })),
  );
  await insertRows(
    db,
    ukey2Activations,
    holding.map((phone) => ({ identifierId: idOf(phone), phone: phone.info, activatedAt: phone.authTime })),
  );
}
