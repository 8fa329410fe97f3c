import { describe, expect, it } from 'vitest';
import { fillText, templateIssues } from '#models/mail-templates.ts';

describe('a mail template', () => {
  const issues = (change: Record<string, unknown>) =>
    templateIssues({ mail_type_id: 'confirmation', subject: 'Your code', body: '{{code}} {{ link }}', ...change });
  const unknown = (field: string, placeholder: string) => ({ path: [field], rule: 'unknown_placeholder', params: { placeholder } });
  const missing = (placeholders: string) => ({ path: ['body'], rule: 'required_placeholders', params: { placeholders } });
  it.each<[string, Record<string, unknown>, unknown[]]>([
    ['names what it has to', {}, []],
    ['may name more', { subject: '{{name}}: {{product}}' }, []],
    ['cannot name what the mail is not given', { body: '{{code}}{{link}}{{password}}{{door}}' }, [unknown('body', 'password')]],
    ['nor in the subject', { subject: '{{door}}' }, [unknown('subject', 'door')]],
    ['nor nothing', { subject: '{{ }}' }, [unknown('subject', '')]],
    ['is refused with no more than forty characters of a word', { subject: `{{${'x'.repeat(50)}}}` }, [unknown('subject', 'x'.repeat(40))]],
    ['lacks a word, in the subject or not', { subject: '{{link}}', body: '{{code}}' }, [missing('{{link}}')]],
    ['lacks all of them', { body: 'code and link' }, [missing('{{code}}, {{link}}')]],
    ['of another type has to name other words', { mail_type_id: 'recovery', body: '{{link}}' }, []],
    ['of no type is not looked at', { mail_type_id: 'toString', body: '' }, []],
    ['without a body is not looked at', { body: undefined }, []],
    ['without a subject is not looked at', { subject: null, body: '' }, []],
  ])('%s', (_what, change, wanted) => expect(issues(change)).toEqual(wanted));
});

it('a text is filled in once; a word without a value leaves nothing, an unknown one stays', () => {
  expect(fillText('{{a}} {{ b }} {{c}} {{toString}}', { a: '{{b}}', b: 'B', c: null })).toBe('{{b}} B  {{toString}}');
});
