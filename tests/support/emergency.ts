import type { ActiveAlert } from '#models/emergency-alert-calls.ts';
import { uuid } from './people.ts';

/** An alert that is out. */
export const activeAlert = (more: Partial<ActiveAlert> = {}): ActiveAlert => ({
  id: uuid(851),
  name: 'Fire',
  message: 'Leave the house',
  is_drill: false,
  started_at: '2026-03-01T10:00:00.000Z',
  seen_at: null,
  safe_at: null,
  ...more,
});
