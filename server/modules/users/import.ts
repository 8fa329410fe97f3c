import { and, eq, inArray, sql } from 'drizzle-orm';
import { users } from '#server/db/schema/index.ts';
import type { Importer } from '#server/import/importer.ts';
import { usersRepository } from './repository.ts';

const lowLogin = sql<string>`lower(${users.login})`;
const lowEmail = sql<string>`lower(${users.email})`;

/** People from a file: a row is known by its login, whatever the case. Nobody is invited by it: that is done with those who were made. */
export const usersImporter: Importer = {
  area: 'users',
  repository: usersRepository,
  complete: (fields) => fields,
  fresh: (fields) => fields,
  keyOf: ({ login }) => (typeof login === 'string' ? login.toLowerCase() : null),
  keyField: 'login',
  unique: {
    field: 'email',
    async find(db, projectId, emails) {
      if (emails.length === 0) return new Map();
      const rows = await db
        .select({ email: lowEmail, login: lowLogin })
        .from(users)
        .where(and(eq(users.projectId, projectId), inArray(lowEmail, [...emails])));
      return new Map(rows.map(({ email, login }) => [email, login]));
    },
  },
  async find(db, projectId, logins) {
    if (logins.length === 0) return new Map();
    const rows = await db
      .select({ id: users.id, login: lowLogin })
      .from(users)
      .where(and(eq(users.projectId, projectId), inArray(lowLogin, [...logins])));
    return new Map(rows.map(({ id, login }) => [login, id]));
  },
};
