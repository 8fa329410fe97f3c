import { type Issue, toIssues } from '../issues.ts';
import { password } from '../rules.ts';

/** A new password as it is typed twice. */
export interface PasswordTwice {
  password: string;
  repeat: string;
}
const rules = password();

/** What is wrong with a new password: the rules of the contract, and that both lines must agree. */
export function passwordIssues({ password: chosen, repeat }: PasswordTwice): Issue[] {
  const read = rules.safeParse(chosen);
  const [issue] = read.success ? [] : toIssues(read.error);
  return [
    ...(issue ? [{ ...issue, ...(chosen === '' && { rule: 'required', params: {} }), path: ['password'] }] : []),
    ...(chosen === repeat ? [] : [{ path: ['repeat'], rule: 'must_match', params: {} }]),
  ];
}
