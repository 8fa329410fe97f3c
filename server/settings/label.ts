import { inArray } from 'drizzle-orm';
import { inOrderMade } from '../access/operator.ts';
import type { Db } from '../db/database.ts';
import { projects, projectSettings } from '../db/schema/index.ts';
import { settingBlocks } from '#models/project-settings.ts';

/** What stands for the product before anybody has signed in. */
export interface Label {
  name: string;
  ground: string;
  text: string;
  logoFile: string | null;
}

const hostOf = (address: unknown): string | null => (typeof address === 'string' && URL.canParse(address) ? new URL(address).host : null);

/**
 * The white label of the project whose `server_url` names the host that was asked; where none does, of the project that was made first,
 * whose people run the installation. Null where it has none switched on.
 */
export async function labelAt(db: Db, host: string | undefined): Promise<Label | null> {
  const [all, rows] = await Promise.all([
    db
      .select({ id: projects.id })
      .from(projects)
      .orderBy(...inOrderMade()),
    db
      .select()
      .from(projectSettings)
      .where(inArray(projectSettings.block, ['general', 'white_label'])),
  ]);
  const block = (projectId: string, name: string) => rows.find((row) => row.projectId === projectId && row.block === name);
  const named = all.find(({ id }) => host !== undefined && hostOf(block(id, 'general')?.value['server_url']) === host.toLowerCase());
  const project = named ?? all[0];
  const stored = project && block(project.id, 'white_label');
  const value = { ...settingBlocks.white_label.initial, ...stored?.value } as { is_enabled: boolean; name: string | null } & Record<string, unknown>;
  if (!stored || !value.is_enabled) return null;
  return {
    name: value.name ?? 'Doorward',
    ground: String(value['accent_color']),
    text: String(value['accent_text_color']),
    logoFile: stored.logoFile,
  };
}
