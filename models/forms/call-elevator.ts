import { defineForm } from '../define-form.ts';
import type { CallDirection } from '../elevator-calls.ts';
import type { Issue } from '../issues.ts';

export interface CallElevatorDraft {
  /** The relay of a floor; empty: where the apartment is. */
  floor: string;
  apartment: string;
  direction: CallDirection;
}

/** Where somebody wants an elevator, and which way they go from there. */
export const callElevatorForm = defineForm({
  name: 'call-elevator',
  call: 'callElevator',
  start: (_given: { id: string }): CallElevatorDraft => ({ floor: '', apartment: '', direction: 'up' }),
  read: ({ floor, apartment, direction }, _base, { id }) => {
    const missing: Issue = { path: ['floor'], rule: 'elevator_call_needs_floor', params: {} };
    if (floor === '' && apartment.trim() === '') return { issues: [missing] };
    const body = { floor: floor === '' ? null : Number(floor), apartment: apartment.trim() || null, direction };
    return { input: { params: { id }, body } };
  },
});
