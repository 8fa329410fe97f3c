import { announceCalls } from './announce-calls.ts';
import { calendarFeedCalls } from './calendar-feed-calls.ts';
import { emergencyAlertCalls } from './emergency-alert-calls.ts';
import { mailCalls } from './mail.ts';
import { smsCalls } from './sms.ts';
import { mailTemplateCalls } from './mail-template-calls.ts';

/** What is written to people: mails, their templates, announcements, emergency alerts; and calendars. */
export const communicationCalls = {
  ...mailCalls,
  ...smsCalls,
  ...mailTemplateCalls,
  ...announceCalls,
  ...emergencyAlertCalls,
  ...calendarFeedCalls,
} as const;
