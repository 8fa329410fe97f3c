import { asc } from 'drizzle-orm';
import type { SelfRegistrationSettings } from '#models/project-settings.ts';
import type { OpenProject } from '#models/registration-calls.ts';
import type { Db } from '#server/db/database.ts';
import { projects } from '#server/db/schema/index.ts';
import { HttpError } from '#server/http-error.ts';
import { shownClients } from '#server/settings/clients.ts';
import { readBlock } from '#server/settings/store.ts';

/** The ways in which strangers register. */
export type Kind = 'simple' | 'self';
export type Client = SelfRegistrationSettings['clients'][number];
/** A project that has a kind open, and what people may become there. */
export interface Open {
  id: string;
  code: string;
  name: string;
  clients: Client[];
}

/** The clients of a project that may register in a way; none where it is closed, or where no role is set for them. The first is what simple registration makes. */
export async function clientsOf(db: Db, projectId: string, kind: Kind): Promise<Client[]> {
  const { value } = await readBlock(db, projectId, 'general');
  if (!value.registration[kind]) return [];
  const { clients, simple_type: chosen } = await shownClients(db, projectId);
  const all = clients.map(({ role, ...client }) => ({ ...client, role: role.id }));
  if (kind === 'self' || chosen === null) return all;
  return all.filter(({ type }) => type === chosen);
}

async function openProjects(db: Db, kind: Kind): Promise<Open[]> {
  const found: Open[] = [];
  for (const { id, uid, name } of await db.select().from(projects).orderBy(asc(projects.name))) {
    const clients = await clientsOf(db, id, kind);
    if (clients.length > 0) found.push({ id, code: uid, name, clients });
  }
  return found;
}

const shown = ({ code, name, clients }: Open): OpenProject => ({ code, name, types: clients.map(({ type }) => type) });

/** The projects in which strangers may register. By name and login everybody becomes the one type that is set for it. */
export async function readOpen(db: Db): Promise<{ simple: OpenProject[]; self: OpenProject[] }> {
  const [simple, self] = [await openProjects(db, 'simple'), await openProjects(db, 'self')];
  return { simple: simple.map((project) => ({ ...shown(project), types: [] })), self: self.map(shown) };
}

/** The project a stranger registers in: the one they name, or the only one. @throws HttpError `forbidden` where it is closed, `invite_code_invalid` for an unknown one */
export async function projectFor(db: Db, kind: Kind, code: string | undefined): Promise<Open> {
  const open = await openProjects(db, kind);
  if (open.length === 0) throw new HttpError('forbidden');
  const found = code === undefined ? (open.length === 1 ? open[0] : undefined) : open.find((project) => project.code === code);
  if (!found) throw new HttpError('invite_code_invalid');
  return found;
}

/** What a registration code opens. @throws HttpError `invite_code_invalid`, the same for unknown and closed ones */
export async function readSelf(db: Db, code: string): Promise<OpenProject> {
  const found = (await openProjects(db, 'self')).find((project) => project.code === code);
  if (!found) throw new HttpError('invite_code_invalid');
  return shown(found);
}
