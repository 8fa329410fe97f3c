import { expect, it } from 'vitest';
import { agentText, deviceName } from '#models/device-name.ts';
import { asTyped, countTyped, limitTyped, textTyped } from '#models/forms/typed.ts';
import { inSentence } from '#models/in-sentence.ts';
import { readText } from '#models/time-text.ts';

const mozilla = (system: string, browser: string): string => `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`;
const chrome = 'Chrome/140.0 Safari/537.36';

it.each([
  [mozilla('Windows NT 10.0; Win64; x64', chrome), 'Chrome, Windows'],
  [mozilla('Windows NT 10.0; Win64; x64', `${chrome} Edg/140.0`), 'Edge, Windows'],
  [mozilla('Windows NT 10.0; Win64; x64', `${chrome} OPR/120.0`), 'Opera, Windows'],
  [mozilla('X11; Linux x86_64', `YaBrowser/25.0 ${chrome}`), 'Yandex, Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
  [mozilla('Linux; Android 15; Pixel 9', chrome), 'Chrome, Android'],
  [mozilla('iPhone; CPU iPhone OS 18_0 like Mac OS X', 'Version/18.0 Mobile/15E148 Safari/604.1'), 'Safari, iPhone'],
  [mozilla('iPad; CPU OS 18_0 like Mac OS X', 'Version/18.0 Mobile/15E148 Safari/604.1'), 'Safari, iPad'],
  [mozilla('Macintosh; Intel Mac OS X 10_15_7', 'Version/18.0 Safari/605.1.15'), 'Safari, macOS'],
  ['curl/8.0 (Linux)', 'Linux'],
  ['Firefox/140.0', 'Firefox'],
  ['curl/8.0', null],
  [null, null],
])('a session of %j is called %j', (agent, name) => expect(deviceName(agent)).toBe(name));

it.each([
  [mozilla('X11; Linux x86_64', 'Chrome/156.0.8078.108 Safari/537.36'), 'Chrome 156, Linux'],
  [mozilla('X11; Linux x86_64', 'HeadlessChrome/156.0.8078.108 Safari/537.36'), 'Chrome 156, Linux'],
  [mozilla('Windows NT 10.0; Win64; x64', `${chrome} Edg/141.0`), 'Edge 141, Windows'],
  [mozilla('Macintosh; Intel Mac OS X 14_5', 'Version/18.1 Safari/605.1.15'), 'Safari 18, macOS'],
  ['Firefox/', 'Firefox'],
  ['curl/8.5.0', null],
  [null, null],
])('the user agent %j is read as %j', (agent, text) => expect(agentText(agent)).toBe(text));

it.each([
  [' 12 ', 12, 12, '12'],
  ['0', 0, 0, '0'],
  ['', Number.NaN, null, null],
  ['  ', Number.NaN, null, null],
  ['1.5', Number.NaN, Number.NaN, '1.5'],
  ['-1', Number.NaN, Number.NaN, '-1'],
  [' a ', Number.NaN, Number.NaN, 'a'],
])('typed %j: the count %d, the limit %d, the text %j', (typed, count, limit, text) => {
  expect([countTyped(typed), limitTyped(typed), textTyped(typed)]).toEqual([count, limit, text]);
});

it('a number stands in an input as text, none as nothing', () => {
  expect([asTyped(0), asTyped(12), asTyped(null), asTyped(undefined)]).toEqual(['0', '12', '', '']);
});

it.each([
  ['Name', 'name'],
  ['IP address', 'IP address'],
  ['Имя', 'имя'],
  ['already small', 'already small'],
  ['A', 'a'],
])('the label %j within a sentence is %j', (label, text) => expect(inSentence(label)).toBe(text));

it('a typed date is read in the first format that it fits, and 31 February in none', () => {
  const formats = ['DD.MM.YYYY', 'YYYY-MM-DD'];
  expect([readText('17.06.2026', formats), readText('2026-06-17', formats)]).toEqual([Date.UTC(2026, 5, 17), Date.UTC(2026, 5, 17)]);
  expect([readText('31.02.2026', formats), readText('', formats)]).toEqual([null, null]);
});
