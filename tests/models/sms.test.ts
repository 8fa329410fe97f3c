import { describe, expect, it } from 'vitest';
import { toIssues } from '#models/issues.ts';
import { fillSms, headersOf, type SmsSettings, smsInitial, smsPlace, smsSettings, smsWords, smsWritten } from '#models/sms.ts';

const gateway: SmsSettings = {
  ...smsInitial,
  type: 'http',
  url: 'https://sms.example.org/send',
  headers: 'Authorization: Bearer {{secret}}\nX-Sender: House',
  body: '{"to": "{{phone}}", "text": "{{ text }}"}',
};
/** What is wrong with a gateway, as `field rule`. */
function faults(change: Partial<SmsSettings>): string[] {
  const read = smsSettings.safeParse({ ...gateway, ...change });
  return read.success ? [] : toIssues(read.error).map(({ path, rule }) => `${path.join('.')} ${rule}`);
}
const get = { method: 'GET', body: 'not sent {{whatever}}', url: 'http://sms/?to={{phone}}&text={{text}}' } as const;

describe('the settings of a gateway', () => {
  it.each<[string, Partial<SmsSettings>, string[]]>([
    ['whole', {}, []],
    ['switched off, whatever stands there', { type: 'none', url: 'nowhere', body: '{{what}}', success: 'contains' }, []],
    ['without an address', { url: null }, ['url required']],
    ['no address', { url: 'sms.example.org' }, ['url sms_address']],
    ['another protocol', { url: 'ftp://sms.example.org' }, ['url sms_address']],
    ['a login in the address', { url: 'https://me@sms.example.org' }, ['url sms_address']],
    ['a space in the address', { url: 'https://sms.example.org/a b' }, ['url sms_address']],
    ['a fragment', { url: 'https://sms.example.org/#part' }, ['url sms_address']],
    ['an address in brackets, with a port', { url: 'http://[::1]:8080/send?key=1' }, []],
    ['the secret in the address', { url: 'https://sms/{{secret}}' }, ['url sms_placeholder_url']],
    ['a header without a value', { headers: 'X-Sender:' }, ['headers sms_header']],
    ['a header without a name', { headers: ': House' }, ['headers sms_header']],
    ['a header of the exchange', { headers: 'Host: example.org' }, ['headers sms_header']],
    ['a header of the exchange, however it is written', { headers: 'CONTENT-length: 7' }, ['headers sms_header']],
    ['empty lines among the headers', { headers: '\r\nX-Sender: House\r\n\r\n' }, []],
    ['the text in a header', { headers: 'X-Text: {{text}}' }, ['headers sms_placeholder_header']],
    ['a secret in plain text', { headers: 'X-Api-Key: 1234' }, ['headers sms_secret_header']],
    ['the place of a secret left to the phone', { headers: 'X-Token: {{phone}}' }, ['headers sms_secret_header']],
    ['an unknown word in the body', { body: '{"to": "{{phone}}", "text": "{{text}}{{name}}"}' }, ['body sms_placeholder']],
    ['a body that is not JSON', { body: 'to={{phone}}&text={{text}}' }, ['body sms_json']],
    ['a form', { body_kind: 'form', body: 'to={{phone}}&text={{text}}' }, []],
    ['no place for the text', { body: '{"to": "{{phone}}"}' }, ['body sms_needs_placeholders']],
    ['no place for the phone', { body: '{"text": "{{text}}"}' }, ['body sms_needs_placeholders']],
    ['no body', { body: null }, ['body sms_needs_placeholders']],
    ['the phone in the address, the text in the body', { url: 'https://sms/{{phone}}', body: '{"text": "{{text}}"}' }, []],
    ['the phone in a header', { headers: 'X-To: {{phone}}', body: '{"text": "{{text}}"}' }, []],
    ['all in the address; a body is not sent', get, []],
    ['too little in the address; a body is not sent', { ...get, url: 'http://sms/?to={{phone}}' }, ['url sms_needs_placeholders']],
    ['words that are not said', { success: 'contains' }, ['success_text required']],
    ['words that are said', { success: 'contains', success_text: 'OK' }, []],
  ])('%s', (_what, change, wanted) => expect(faults(change)).toEqual(wanted));
});

it('texts are written as the body asks for', () => {
  const values = { phone: '+1', text: 'a "b" & c\n' };
  const template = '{{phone}}|{{ text }}|{{secret}}';
  expect(fillSms(template, values, smsWritten.json)).toBe(String.raw`+1|a \"b\" & c\n|{{secret}}`);
  expect(fillSms(template, values, smsWritten.form)).toBe('%2B1|a%20%22b%22%20%26%20c%0A|{{secret}}');
  expect(fillSms(template, values, smsWritten.text)).toBe('+1|a "b" & c\n|{{secret}}');
  expect(smsWords).toEqual({ phone: '{{phone}}', text: '{{text}}', secret: '{{secret}}' });
});

it('headers are one a line, by their names in lower case; what is none is left out', () => {
  expect(headersOf('X-Sender:  House 7 \r\n\nnothing\nAccept:*/*')).toEqual([
    ['x-sender', 'House 7'],
    ['accept', '*/*'],
  ]);
  expect(headersOf(null)).toEqual([]);
});

it.each([
  ['https://SMS.example.org:8080/send?to=1', 'https://sms.example.org:8080'],
  ['https://sms.example.org?to=1', 'https://sms.example.org'],
  ['sms.example.org/send', ''],
  [null, ''],
])('a secret for %s is for %j', (url, place) => expect(smsPlace(url)).toBe(place));
