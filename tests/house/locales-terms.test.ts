import { describe, expect, it } from 'vitest';
import { sayNotice } from '#machines/notifications/notice-texts.ts';
import type { Locale } from '#models/constants.ts';
import { openWords, texts } from './texts.ts';

/** Where the words that `pattern` stands for still are. */
const holding = (language: Locale, pattern: RegExp): string[] =>
  [...texts[language]]
    .filter(([key, text]) => pattern.test(text.replaceAll(/\{\{[^}]*\}\}/g, '#')) && !key.startsWith('validation.name_characters'))
    .map(([key]) => key);

describe('the English texts', () => {
  it.each([
    ['elevator, not lift', /\blifts?\b/i],
    ['apartment, not flat', /\bflats?\b/i],
    ['announcement, not announce', /\bannounces?\b/i],
    ['acknowledge and resolve of alarms, not take on or process', /\btak(?:e|en|es) (?:this alarm )?on\b|\bprocess(?:ed)?\b(?! for)/i],
    ['transfer, not hand on', /\bhand(?:ed|ing)? (?:this call )?on\b/i],
    ['licence, the noun, in British spelling', /\blicenses?\b/i],
    ['synchronise and initialise in British spelling', /(?:synchron|initial|recogn|author)iz|\bcolors?\b/i],
    ['someone, not somebody', /\b(?:somebody|anybody|everybody|whoever|whom?soever)\b/i],
    ['again, not anew or once more', /\banew\b|\bonce more\b/i],
    ['subgroups, not groups inside or below', /\bgroups? (?:inside|below)\b|\bdescendant\b/i],
    ['units in brackets: (s), (ms)', /, m?sec\b/i],
    ['typographic quotes and apostrophes', /["']/],
    ['the sign …, without a space before it', /\.\.\.| …(?!#)/],
  ])('say %s', (_, pattern) => expect(holding('en', pattern)).toEqual([]));
});

describe('the Russian texts', () => {
  it.each([
    ['«общая зона» of an amenity, which may be a pool', /общ\p{L}+ помещени/iu],
    ['«максимальная», not «наибольшая», of a limit', /наибольш/iu],
    ['«интеграция», not «интегратор»', /интегратор/iu],
    ['«использовать» and «на удержание» on buttons', /^(?:взять|удержать)(?:$| и )/iu],
    ['«датчик в норме», not «норма»', /^норма:/iu],
    ['«поднесён» of an identifier at a device', /прилож(?:ен|ит|ат)\p{L}* к/iu],
    ['«SIP realm» and «логин SIP»', /област\p{L}+ авторизации|номер SIP(?!-)/iu],
    ['«вызов SOS»', /SOS-вызов/iu],
    ['a term of use without «бессрочно» after «с»', /с #, бессрочно/iu],
    ['typographic quotes', /["“”]/],
    ['the sign …, without a space before it', /\.\.\.| …(?!#)/],
    [
      '«ё»',
      /(?:^|[^\p{L}])(?:еще|ее|удаленн\p{L}+|учетн\p{L}+|отчет\p{L}*|прием|объем|четк\p{L}+|темн\p{L}+|черны\p{L}+|счет\p{L}*)(?:$|[^\p{L}])/iu,
    ],
  ])('say %s', (_, pattern) => expect(holding('ru', pattern)).toEqual([]));
});

const window = { device: { id: '1', name: 'Вход' }, group: 'Холл', alarm: { id: '2', sensor: 'window' as const }, user: { id: '3', name: 'Анна' } };

describe('a notification of an alarm', () => {
  it.each([
    ['ru', 'alarm_enabled', 'Тревога: окно', '«Вход», Холл'],
    ['ru', 'alarm_disabled', 'Датчик в норме: окно', '«Вход», Холл: датчик вернулся в норму. Тревога остаётся открытой, пока её не обработают.'],
    ['ru', 'alarm_processed', 'Тревога обработана: окно', 'Тревога на устройстве «Вход» (Холл) обработана. Кто обработал: Анна'],
    ['en', 'alarm_processed', 'Alarm resolved: window', 'Анна resolved the alarm at Вход, Холл'],
  ] as const)('in %s, %s', async (language, type, title, sentence) => {
    const { t } = await openWords(language);
    expect(sayNotice({ type, data: window }, (key, params) => String(t(key, params ?? {})))).toEqual({ title, sentence });
  });
});
