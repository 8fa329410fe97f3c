import { z } from 'zod';
import { byId, call } from './define-call.ts';
import { defineModel, type RowOf } from './define-model.ts';
import { identifierShown, identifierStates } from './identifiers.ts';
import { name, optionalText, ref, requiredText } from './rules.ts';

/** What stands in the way of a mobile key; `waiting`: no phone holds it yet. */
export const ukey2States = ['waiting', ...identifierStates] as const;
export type Ukey2State = (typeof ukey2States)[number];

/** Keys on phones: issued to a person, taken by one phone with a one-time code, revoked for good (clauses IDENT-13, PERM-38). */
export const ukey2 = defineModel({
  name: 'ukey2',
  feature: 'ukey2',
  fields: {
    name: name(),
    /** Whose key it is; another person gets a key of their own. */
    owner: ref('users'),
    description: optionalText(),
  },
  shown: {
    ...identifierShown,
    state: z.enum(ukey2States),
    /** The phone that holds the key, as it calls itself. */
    phone: z.string().nullable(),
    activated_at: z.iso.datetime().nullable(),
    /** Until when the activation code given out last may be used; null: there is none. */
    code_until: z.iso.datetime().nullable(),
    lost_at: z.iso.datetime().nullable(),
    passes_count: z.int(),
  },
  initial: { name: '', owner: null, description: '' },
  filters: { name: 'text', state: 'choice', owner: 'ref', last_used_at: 'time', created_at: 'time' },
  sorts: ['name', 'owner', 'last_used_at', 'created_at', 'updated_at'],
  createOnly: ['owner'],
});
export type Ukey2 = RowOf<typeof ukey2>;

/** A code as it is typed: letters and digits that are not mistaken for each other, in groups of four. */
export const activationCode = { groups: 3, groupLength: 4, letters: '23456789ABCDEFGHJKMNPQRSTVWXYZ' } as const;
/** A typed code as it is compared: without spaces and dashes, in upper case. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase();

/** What is done with mobile keys besides the plain calls. */
export const ukey2Calls = {
  ukey2Code: call({
    method: 'POST',
    path: '/identifiers/ukey2/{id}/code',
    access: { codes: ['can_issue_ukey2'], about: 'ukey2' },
    feature: 'ukey2',
    summary: 'A new activation code for a key that no phone holds yet; told once, the one before it ends',
    params: byId,
    answer: z.strictObject({ code: z.string(), until: z.iso.datetime() }),
  }),
  revokeUkey2: call({
    method: 'POST',
    path: '/identifiers/ukey2/{id}/revoke',
    access: { codes: ['can_revoke_ukey2'], about: 'ukey2' },
    summary: 'Revoke a mobile key for good: it opens nothing any more',
    params: byId,
  }),
  activateUkey2: call({
    method: 'POST',
    path: '/ukey2/activation',
    access: 'anyone',
    summary: 'A phone takes a mobile key with its activation code, and the API key (X-Api-Key) where the project asks for it; the key is told once',
    body: z.strictObject({ code: requiredText(50), phone: requiredText(100) }),
    answer: z.strictObject({ key: z.string(), name: z.string(), project: z.string() }),
  }),
} as const;
