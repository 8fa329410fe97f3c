import { and, desc, eq, sql } from 'drizzle-orm';
import { idArray } from '../access/measures.ts';
import type { Db } from '../db/database.ts';
import { groups } from '../db/schema/index.ts';
import { readBlock } from '../settings/store.ts';

/** How mails of a place look. */
export interface MailLook {
  name: string;
  logoFile: string | null;
  ground: string;
  text: string;
  /** Who writes: address, phone and e-mail, a line each. */
  footer: string;
}
interface Block {
  is_enabled?: boolean;
  name?: string | null;
  address?: string | null;
  email?: string | null;
  phone?: string | null;
}

const product = 'Doorward';
const footerOf = ({ name, address, phone, email }: Block): string => {
  const lines = [address, phone, email].filter((line) => line);
  return lines.length === 0 ? '' : [name, ...lines].filter((line) => line).join('\n');
};

/** The white label of the nearest group that has one switched on, else the project's, else the product as it is. Groups have no colours of their own. */
export async function lookAt(db: Db, { projectId, groupIds }: { projectId: string; groupIds: readonly string[] }): Promise<MailLook> {
  const { value, logoFile } = await readBlock(db, projectId, 'white_label');
  const colors = { ground: value.accent_color, text: value.accent_text_color };
  const [group] = await db
    .select({ block: groups.whitelabel, logoFile: groups.logoFile, name: groups.name })
    .from(groups)
    .where(
      and(
        eq(groups.projectId, projectId),
        sql`${groups.whitelabel} @> '{"is_enabled": true}'::jsonb`,
        sql`${groups.id} in (select unnest(own.path) from groups own where own.id = any(${idArray(groupIds)}))`,
      ),
    )
    .orderBy(desc(sql`cardinality(${groups.path})`), groups.id)
    .limit(1);
  const block = group?.block as Block | undefined;
  if (group && block)
    return { ...colors, name: block.name ?? value.name ?? group.name, logoFile: group.logoFile ?? logoFile, footer: footerOf(block) };
  if (value.is_enabled) return { ...colors, name: value.name ?? product, logoFile, footer: footerOf(value) };
  return { name: product, logoFile: null, ground: '#2b5bd7', text: '#ffffff', footer: '' };
}
