import { z } from 'zod';
import { call } from './define-call.ts';

/** The accounts of the demo by which one tries what each kind of person sees. */
export const demoLogins = ['admin', 'dealer', 'manager', 'concierge', 'concierge2', 'resident'] as const;
export type DemoLogin = (typeof demoLogins)[number];
/** Their password until somebody changes it; no secret, every start of the demo prints it. */
export const demoPassword = 'Doorward-2026';

export const demoAccountCalls = {
  demoAccounts: call({
    method: 'GET',
    path: '/demo/accounts',
    access: 'anyone',
    summary: 'The accounts of the demo that still have its password; none outside the demo',
    answer: z.array(z.strictObject({ login: z.enum(demoLogins), name: z.string() })),
  }),
} as const;
