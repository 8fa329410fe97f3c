import { announceCalls } from './announce-calls.ts';
import { mailCalls } from './mail.ts';
import { mailTemplateCalls } from './mail-template-calls.ts';

/** What is written to people: mails, their templates, announcements. */
export const communicationCalls = { ...mailCalls, ...mailTemplateCalls, ...announceCalls } as const;
