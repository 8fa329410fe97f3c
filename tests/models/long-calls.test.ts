import { describe, expect, it } from 'vitest';
import { calls } from '#models/api.ts';
import { constants } from '#models/constants.ts';
import type { Call } from '#models/define-call.ts';
import { longCalls } from '#models/long-calls.ts';

describe('calls that take longer than usual', () => {
  it('are named where the form that makes them looks it up, each with the bound of its request', () => {
    const bound = ({ download, timeout = constants.apiTimeout }: Call): number | false => (download ? false : timeout);
    const long = Object.entries(calls as Readonly<Record<string, Call>>)
      .map(([name, call]) => [name, bound(call)] as const)
      .filter(([, timeout]) => timeout === false || timeout > constants.apiTimeout);
    expect(longCalls).toEqual(Object.fromEntries(long));
  });
});
