/** The numbers of the contract, each with its unit in the name unless it is milliseconds (spec B9). */
export const constants = {
  apiTimeout: 30_000,
  loginTimeout: 3_000,
  remoteSessionTimeout: 60_000,
  backupTimeout: 3_600_000,
  reportTimeout: 300_000,
  /** Imports run as long as they need. */
  importTimeout: false,
  chunkTimeout: 120_000,
  realtimeRetry: 4_000,
  unreadDebounce: 1_000,
  markReadDelay: 1_000,
  /** An alarm that nobody has taken on rings again after so long. */
  alarmRering: 20_000,
  /** A call that is left on hold calls back after so many seconds, unless the server says otherwise. */
  recallSeconds: 60,
  consistencyErrorTime: 10_000,
  alertTime: 3_000,
  alertStays: 0,
  registrationRetryAfterError: 5_000,
  registrationRetryAfterInvalid: 30_000,
  callRemovalDelay: 5_000,
  callTimerStep: 1_000,
  iceGatheringTime: 200,
  dtmfOpenDoor: 160,
  dtmfGeneric: 1_000,
  /** A key waits so long for the other end to be there; one that comes later would surprise. */
  dtmfTimeout: 3_000,
  unlimitedLicencePeriod: { from: 0, to: 999_999_999_999 },
  dialerHistoryPage: { page: 1, size: 50 },
  sipPort: 8443,
  talkTimeoutSeconds: 120,
  reregisterIntervalSeconds: 600,
  relayOpenTimeSeconds: 10,
  forwardTimeoutSeconds: 10,
  unnamedForwardTimeoutSeconds: 60,
  sipNumbers: { perProject: 10_000, perUser: 5 },
  playbackDurationSeconds: 60,
  slotDurationSeconds: 3_600,
  persons: { min: 1, max: 500 },
  timeRuleSeconds: { from: 32_400, to: 64_800 },
  nameLength: { min: 1, max: 31 },
  devicePasswordLength: { min: 6, max: 31 },
  notificationMenuSize: 5,
  importantStackSize: 3,
  notificationsPageSize: 20,
  importantWidth: { min: 300, max: 450 },
  dialogWidth: { small: 300, normal: 600, wide: 900 },
  drawerWidth: 250,
  devicePort: 80,
  /** Largest file of a form. */
  uploadLimitBytes: 10 * 1024 * 1024,
  /** Archives of backups count in 32 bits. */
  backupLimitBytes: 4 * 1024 * 1024 * 1024,
  licenceNotifications: { mode: 'everyday', notifyBeforeDays: 14 },
} as const;

/** Interface languages; the first is default and fallback. */
export const locales = ['en', 'ru'] as const;
export type Locale = (typeof locales)[number];

/** Date formats a person may choose; the time of day is always HH:NN:SS. */
export const timeFormats = ['DD-MM-YYYY', 'MM-DD-YYYY', 'YYYY-MM-DD'] as const;
export const identifierFormats = ['dec', 'hex'] as const;

/** Initial values of a profile and a project (spec B9). */
export const profileDefaults = {
  locale: 'en',
  time_zone: 2,
  time_format: 'DD-MM-YYYY',
  identifier_format: 'dec',
  autoForwardProtocol: 'UDP',
} as const;

export const deviceProtocols = ['http', 'mqtt'] as const;
export const mailModes = ['none', 'smtp'] as const;
export const liftDeviceModes = ['call-down', 'call-up', 'call-up-down'] as const;
export const reminderModes = ['once', 'everyday', 'every_week', 'every_30_days'] as const;

export const notificationClasses = [
  'announce_received',
  'conversation_received',
  'conversation_message_received',
  'announce_status_changed',
  'sip_reboot_started',
  'sip_reboot_completed',
  'device_broker_settings_sent',
  'user_used_identifier_on_device',
  'user_used_revoked_identifier',
  'alarm_enabled',
  'alarm_disabled',
  'alarm_processed',
  'integration_stopped',
  'broker_certificate_ending',
  'reservation_canceled',
  'reservation_changed',
  'reservation_reminder',
  'call_missed',
] as const;
