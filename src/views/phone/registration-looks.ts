import type { RegistrationState } from '#models/sip.ts';

/** How registration looks: its tone and the mark on the phone (clauses DIAL-03 to DIAL-07). */
export const registrationLooks: Record<
  RegistrationState,
  { tone: 'info' | 'good' | 'warn' | 'bad'; mark: 'loading' | 'locked' | 'disabled' | null }
> = {
  registering: { tone: 'info', mark: 'loading' },
  unregistering: { tone: 'info', mark: 'loading' },
  registered: { tone: 'good', mark: null },
  unregistered: { tone: 'warn', mark: 'locked' },
  error: { tone: 'bad', mark: 'disabled' },
  invalid_registration: { tone: 'bad', mark: 'locked' },
};
