import { z } from 'zod';
import { call } from './define-call.ts';
import { email, name, optionalText, password, requiredText, rule, username } from './rules.ts';

/** What an address or a page goes on with; long enough that nobody guesses it. */
const token = z.string().min(20).max(200).meta({ secret: true });
/** A one-time link's secret part. */
const byToken = z.strictObject({ token });
/** A project is known to strangers by its short name. */
const projectCode = requiredText(64);

/** The address becomes the login. */
const longestLogin = 64;
export const registrationBody = z.strictObject({
  name: name(),
  login: username(longestLogin),
  password: password(),
  /** Which project, where several are open. */
  project: projectCode.optional(),
});
export const selfRegistrationBody = z.strictObject({
  user_name: name(),
  user_email: email().refine((value) => value.length <= longestLogin, rule('max_length', { length: longestLogin })),
  user_type: requiredText(31),
  object_name: optionalText(),
  user_password: password(),
  project: projectCode.optional(),
});
/** The digits of a mailed code. */
export const confirmationCodeLength = 8;
export const confirmationBody = z.strictObject({
  registration: token,
  code: requiredText(confirmationCodeLength).refine((value) => value === '' || new RegExp(`^\\d{${confirmationCodeLength}}$`).test(value), 'invalid'),
});

/** A project in which strangers may register, and as what. */
const openProject = z.strictObject({ code: z.string(), name: z.string(), types: z.array(z.string()) });
export type OpenProject = z.infer<typeof openProject>;
/** What becomes of a registration: an address is to be proved first, by the mail that was sent, or the account is there. */
const pending = z.strictObject({ registration: z.string().nullable() });

/** How people get an account by themselves (AUTH-18 to AUTH-25), where a project has it open. */
export const registrationCalls = {
  registrationInfo: call({
    method: 'GET',
    path: '/registration/{token}',
    access: 'anyone',
    summary: 'The user a registration link was created for',
    params: byToken,
    answer: z.strictObject({ login: z.string(), name: z.string(), email: z.string().nullable(), project: z.string() }),
  }),
  register: call({
    method: 'POST',
    path: '/registration/{token}',
    access: 'anyone',
    summary: 'Complete a registration by choosing a password; the link works once',
    params: byToken,
    body: z.strictObject({ password: password() }),
  }),
  openProjects: call({
    method: 'GET',
    path: '/registration/projects',
    access: 'anyone',
    summary: 'The projects open for registration, by kind',
    answer: z.strictObject({ simple: z.array(openProject), self: z.array(openProject) }),
  }),
  simpleRegistration: call({
    method: 'POST',
    path: '/registration',
    access: 'anyone',
    summary: 'Register with name, login and password; a login that is an e-mail address is confirmed by mail first',
    body: registrationBody,
    answer: pending,
  }),
  confirmRegistration: call({
    method: 'POST',
    path: '/registration/confirm/{token}',
    access: 'anyone',
    summary: 'Confirm an account by the link of the mail; the link works once',
    params: byToken,
    answer: z.strictObject({ login: z.string() }),
  }),
  selfRegistrationInfo: call({
    method: 'GET',
    path: '/self-registration/{code}',
    access: 'anyone',
    summary: 'The project of a registration code, and the types of users that may register there',
    params: z.strictObject({ code: projectCode }),
    answer: openProject,
  }),
  selfRegistration: call({
    method: 'POST',
    path: '/self-registration',
    access: 'anyone',
    summary: 'Self-registration; a code is mailed, whether or not the address is known',
    body: selfRegistrationBody,
    answer: z.strictObject({ registration: z.string() }),
  }),
  resendConfirmation: call({
    method: 'POST',
    path: '/self-registration/resend',
    access: 'anyone',
    summary: 'Mail another code; the one before stops working',
    body: z.strictObject({ registration: token }),
  }),
  confirmSelfRegistration: call({
    method: 'POST',
    path: '/self-registration/confirm',
    access: 'anyone',
    summary: 'Confirm the address by the mailed code; the account is there from then on',
    body: confirmationBody,
    answer: z.strictObject({ login: z.string() }),
  }),
};
