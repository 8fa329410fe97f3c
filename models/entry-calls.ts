import { z } from 'zod';
import { call } from './define-call.ts';
import { email, password } from './rules.ts';

/** The secret part of a link or code that was mailed. */
const mailedCode = z.string().min(20).max(200).meta({ secret: true });

export const recoveryBody = z.strictObject({ email: email() });

/** What people who cannot sign in do to get (back) in. */
export const entryCalls = {
  recoverPassword: call({
    method: 'POST',
    path: '/password/recovery',
    access: 'anyone',
    summary: 'Mail a link for a new password; the answer is the same for unknown addresses',
    body: recoveryBody,
  }),
  passwordResetInfo: call({
    method: 'POST',
    path: '/password/reset/info',
    access: 'anyone',
    reads: true,
    summary: 'The user a recovery link was created for',
    body: z.strictObject({ code: mailedCode }),
    answer: z.strictObject({ login: z.string(), name: z.string(), project: z.string() }),
  }),
  resetPassword: call({
    method: 'POST',
    path: '/password/reset',
    access: 'anyone',
    summary: 'Set a new password by the code of a recovery link; the link works once, all sessions of the user end',
    body: z.strictObject({ code: mailedCode, password: password() }),
  }),
};
