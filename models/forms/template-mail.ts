import type { z } from 'zod';
import { defineForm } from '../define-form.ts';
import { toIssues } from '../issues.ts';
import { mailTemplateCalls } from '../mail-template-calls.ts';

const body = mailTemplateCalls.sendMailPreview.body;
/** A template as it is being written, as its preview is asked for. */
export type WrittenTemplate = Omit<z.input<typeof body>, 'email'>;

/** The address to which a template is sent to see how it arrives; a mail server may take a minute. */
export const templateMailForm = defineForm({
  name: 'template-mail',
  call: 'sendMailPreview',
  start: ({ email }: { email: string; template: WrittenTemplate }) => ({ email }),
  read: ({ email }, _base, { template }) => {
    const read = body.safeParse({ ...template, email });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
});
