import { constants } from './constants.ts';

/**
 * Calls that take longer than `constants.apiTimeout`, by name, in ms; false for a file on its way, which takes as long as it takes (spec B9).
 * The request is bounded by it, and so is the wait of the form that makes the call.
 */
export const longCalls = {
  beginRemoteSession: constants.remoteSessionTimeout,
  remoteSession: constants.remoteSessionTimeout,
  licencesUsed: constants.reportTimeout,
  licencesByPeriod: constants.reportTimeout,
  licenceReportFile: constants.reportTimeout,
  applyBackup: constants.backupTimeout,
  applyBackupFile: constants.backupTimeout,
  testMail: 60_000,
  sendMailPreview: 60_000,
  attemptImport: constants.importTimeout,
  checkImport: constants.importTimeout,
  continueImport: constants.importTimeout,
  downloadBackup: false,
  callPicture: false,
  exportAnnounceResponses: false,
  emergencyAlertFile: false,
  calendar: false,
  identifierPass: false,
  guestPass: false,
  ownPass: false,
  jobFile: false,
} as const;
