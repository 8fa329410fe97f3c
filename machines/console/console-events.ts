import type { Profile } from '#models/profile.ts';
import type { Viewpoint } from '#models/preview.ts';
import type { AlertsRequest, TopicWithdrawal } from '../alerts/alerts.machine.ts';
import type { NotificationsFact } from '../notifications/notifications.setup.ts';
import type { PhoneFact } from '../phone/phone-types.ts';
import type { RealtimeFact, TopicsWanted } from '../realtime/realtime.machine.ts';

/** What it says. */
export type ConsoleFact =
  | AlertsRequest
  | TopicWithdrawal
  /** Role, groups or licence of the person may be others by now. */
  | { type: 'profile.stale' }
  | { type: 'token.rejected' }
  /** The phone has asked where somebody was on the line. */
  | { type: 'session.signOut' }
  | { type: 'session.signOutEverywhere' };

/** What it hears. */
export type ConsoleEvent =
  | { type: 'profile.changed'; profile: Profile }
  | { type: 'token.renewed' }
  | { type: 'drafts.store' }
  | { type: 'profile.stale' }
  /** View the console as a role. */
  | { type: 'preview.start'; viewpoint: Viewpoint }
  | AlertsRequest
  | TopicWithdrawal
  | RealtimeFact
  | TopicsWanted
  | PhoneFact
  | NotificationsFact;
