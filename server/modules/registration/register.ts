import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Locale, locales } from '#models/constants.ts';
import type { registrationBody, selfRegistrationBody } from '#models/registration-calls.ts';
import { email } from '#models/rules.ts';
import { originOf } from '#server/access/principal.ts';
import type { Services } from '#server/context.ts';
import { HttpError } from '#server/http-error.ts';
import { requirePace } from '../session/pace.ts';
import { hashChosen } from '../session/passwords.ts';
import { makeAccount } from './account.ts';
import { projectFor } from './open.ts';
import { beginRegistration } from './pending.ts';

/** The language of a page, as its browser says. */
const localeOf = ({ headers }: FastifyRequest): Locale =>
  locales.find((locale) => headers['accept-language']?.slice(0, 2).toLowerCase() === locale) ?? locales[0];

/** Registers by name and login. Where the login is an address it is proved first; otherwise the account is there at once. @returns what the page goes on with */
export async function registerSimply(services: Services, body: z.output<typeof registrationBody>, request: FastifyRequest): Promise<string | null> {
  const { name, login, password, project } = body;
  const origin = originOf(request);
  requirePace(services, 'registration', login, origin);
  const open = await projectFor(services.db, 'simple', project);
  const [client] = open.clients;
  if (!client) throw new HttpError('forbidden');
  const passwordHash = await hashChosen(password, 'password');
  const person = { projectId: open.id, login, name, objectName: null, locale: localeOf(request), passwordHash };
  if (email().safeParse(login).success) return beginRegistration(services, { ...person, email: login, clientType: null });
  await services.db.transaction((tx) => makeAccount(services, tx, { ...person, email: null }, client, origin));
  return null;
}

/** Registers by oneself: one's address becomes the login once it is proved. @returns what the page goes on with */
export async function registerSelf(services: Services, body: z.output<typeof selfRegistrationBody>, request: FastifyRequest): Promise<string> {
  const { user_name: name, user_email: address, user_type: type, object_name: objectName, user_password: password, project } = body;
  requirePace(services, 'registration', address, originOf(request));
  const open = await projectFor(services.db, 'self', project);
  if (!open.clients.some((client) => client.type === type))
    throw new HttpError('invalid_data', { issues: [{ path: ['user_type'], rule: 'one_of', params: {} }] });
  const passwordHash = await hashChosen(password, 'user_password');
  const person = { projectId: open.id, login: address, name, email: address, clientType: type, objectName, passwordHash };
  return beginRegistration(services, { ...person, locale: localeOf(request) });
}
