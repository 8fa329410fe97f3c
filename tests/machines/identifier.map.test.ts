import type { EventFromLogic } from 'xstate';
import { describe, expect, it } from 'vitest';
import { identifierMachine, mayHappenToIdentifier } from '#machines/lifecycles/identifier.machine.ts';
import { identifierTypes } from '#models/device-events.ts';
import { mapTests, type Samples } from '#tests/support/machine-map.ts';

const samples = {
  'identifier.lose': { type: 'identifier.lose' },
  'identifier.find': { type: 'identifier.find' },
  'identifier.revoke': { type: 'identifier.revoke' },
  'identifier.restore': { type: 'identifier.restore' },
} satisfies Samples<EventFromLogic<typeof identifierMachine>>;

describe('the life of an identifier', () => {
  mapTests(identifierMachine, { inputs: [{ type: 'card' }, { type: 'ukey2' }], samples });

  it('ends for good with the revocation of a ukey2, and of nothing else', () => {
    const revoked = { lost_at: null, revoked_at: '2026-03-02T09:00:00.000Z' };
    expect(identifierTypes.filter((type) => !mayHappenToIdentifier({ type, ...revoked }, 'identifier.restore'))).toEqual(['ukey2']);
  });

  it('may be lost and found whether it is revoked or not', () => {
    for (const revoked_at of [null, '2026-03-02T09:00:00.000Z']) {
      const held = { type: 'card', lost_at: null, revoked_at } as const;
      const lost = { ...held, lost_at: '2026-03-02T09:00:00.000Z' };
      expect([mayHappenToIdentifier(held, 'identifier.lose'), mayHappenToIdentifier(held, 'identifier.find')]).toEqual([true, false]);
      expect([mayHappenToIdentifier(lost, 'identifier.lose'), mayHappenToIdentifier(lost, 'identifier.find')]).toEqual([false, true]);
    }
  });
});
