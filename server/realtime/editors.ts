import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { AreaName } from '#models/areas.ts';
import { frameOf, readTopic } from '#models/realtime.ts';
import { idArray } from '../access/measures.ts';
import { known, scopeOf } from '../access/scope.ts';
import type { Principal, Services } from '../context.ts';
import { nameFor } from '../crud/json.ts';
import { users } from '../db/schema/index.ts';
import type { Connection } from './connection.ts';
import { announce, type EditorWord } from './publish.ts';

interface Present {
  id: string;
  name: string;
  at: number;
}
type Person = { id: string | null; name: string };

/** Who is there says so again this often: what a dead process has left behind is forgotten after three times of it. */
const sayAgainEvery = 30_000;
const forgottenAfter = 3 * sayAgainEvery;

/** Who edits which row, on all server processes: each says so to all, and what was heard is told to those who look at the row. */
export class Editors {
  readonly #services: Services;
  readonly #listeners: (project: string, topic: string) => Connection[];
  readonly #lines = new WeakMap<Connection, string>();
  /** Rows that connections of this process edit. */
  readonly #own = new Map<string, EditorWord>();
  readonly #present = new Map<string, Map<string, Present>>();
  #saidAt = 0;

  constructor(services: Services, listeners: (project: string, topic: string) => Connection[]) {
    this.#services = services;
    this.#listeners = listeners;
  }

  /** A connection has subscribed: who edits is told who else does, and told to them. */
  async join(connection: Connection, topic: string): Promise<void> {
    const about = readTopic(topic);
    if (about?.kind !== 'editors' && about?.kind !== 'editing') return;
    const row = `${about.area}.${about.id}`;
    if (about.kind === 'editing') await this.#say(connection, row, 'here');
    await this.#notify(connection, topic, row);
  }

  leave(connection: Connection, topic: string): void {
    if (readTopic(topic)?.kind !== 'editing') return;
    void this.#say(connection, topic.slice(topic.indexOf('.') + 1), 'gone').catch((error: unknown) =>
      this.#services.log.warn({ err: error }, 'that somebody edits no more could not be told'),
    );
  }

  /** What any process said of somebody who edits. */
  heard({ project, row, line, editor, state }: EditorWord): void {
    const key = `${project} ${row}`;
    const present = this.#present.get(key) ?? new Map<string, Present>();
    const isNew = state === 'here' ? !present.has(line) : present.has(line);
    if (state === 'here') present.set(line, { ...editor, at: this.#services.now().getTime() });
    else present.delete(line);
    if (present.size > 0) this.#present.set(key, present);
    else this.#present.delete(key);
    if (isNew) this.#notifyAll(project, row);
  }

  /** What time brings: who is there says so again, who has not for long is forgotten. */
  tick(): void {
    const at = this.#services.now().getTime();
    if (at - this.#saidAt < sayAgainEvery) return;
    this.#saidAt = at;
    if (this.#own.size > 0)
      void announce(this.#services.db, [...this.#own.values()]).catch((error: unknown) =>
        this.#services.log.warn({ err: error }, 'who edits could not be told again'),
      );
    for (const [key, present] of this.#present) {
      const before = present.size;
      for (const [line, one] of present) if (at - one.at > forgottenAfter) present.delete(line);
      if (present.size === 0) this.#present.delete(key);
      const [project = '', row = ''] = key.split(' ');
      if (present.size < before) this.#notifyAll(project, row);
    }
  }

  async #say(connection: Connection, row: string, state: EditorWord['state']): Promise<void> {
    const { projectId, id, name } = connection.principal;
    const line = this.#lines.get(connection) ?? randomUUID();
    this.#lines.set(connection, line);
    const word: EditorWord = { project: projectId, row, line, editor: { id, name }, state };
    if (state === 'here') this.#own.set(`${line} ${row}`, word);
    else if (!this.#own.delete(`${line} ${row}`)) return;
    await announce(this.#services.db, [word]);
  }

  #notifyAll(project: string, row: string): void {
    for (const kind of ['editors', 'editing'])
      for (const connection of this.#listeners(project, `${kind}.${row}`))
        void this.#notify(connection, `${kind}.${row}`, row).catch((error: unknown) =>
          this.#services.log.warn({ err: error }, 'who edits could not be told'),
        );
  }

  async #notify(connection: Connection, topic: string, row: string): Promise<void> {
    const { principal } = connection;
    const present = [...(this.#present.get(`${principal.projectId} ${row}`)?.values() ?? [])];
    const ids = [...new Set(present.map(({ id }) => id))].filter((id) => id !== principal.id);
    const people = ids.length === 0 ? [] : await this.#named(principal, ids);
    const [area, id] = row.split('.') as [AreaName, string];
    if (connection.topics.has(topic)) connection.send(Buffer.from(frameOf(topic, 'EditorsChanged', { area, id, people })));
  }

  /** People by name, as far as the principal may know it. */
  async #named(principal: Principal, ids: readonly string[]): Promise<Person[]> {
    const scope = scopeOf(principal);
    const isKnown = known(scope, sql`${users.id}`);
    const { rows } = await this.#services.db.execute<{ id: string | null; name: string }>(
      sql`select ${isKnown ? sql`case when ${isKnown} then ${users.id} end` : users.id} as id, ${nameFor(scope, users.name, isKnown)} as name
        from ${users} where ${users.id} = any(${idArray(ids)}) order by ${users.name}`,
    );
    return rows.map(({ id, name }) => ({ id, name }));
  }
}
