import { describe, expect, it } from 'vitest';
import { locales } from '#models/constants.ts';
import { permissionCatalogue, permissionCodes } from '#models/permission-catalogue.ts';
import { catalogueMessage, localCodes, messageKey, messageOf, wireCodes } from '#models/problem.ts';
import { filterRules } from '#models/query.ts';
import { sayIssue, sayProblem } from '#src/components/text.ts';
import { findAll, sourcesIn } from './sources.ts';
import { baseOf, fileNames, filesWithTwins, formOf, formsOf, openWords, texts, wordless } from './texts.ts';

const parametersOf = (text: string): string[] => [...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}/g)].map((match) => match[1] ?? '');

describe('the files', () => {
  it('are the same in every language', () => expect(fileNames.ru).toEqual(fileNames.en));
  it.each(locales)('hold no key twice in %s', (language) => expect(filesWithTwins(language)).toEqual([]));
});

describe.each(locales)('the words in %s', (language) => {
  const all = texts[language];
  const bases = [...new Set([...all.keys()].map((key) => baseOf(key, all)))];

  it('have the keys of the other language', () => {
    const other = language === 'en' ? 'ru' : 'en';
    const theirs = new Set([...texts[other].keys()].map((key) => baseOf(key, texts[other])));
    expect(bases.filter((key) => !theirs.has(key))).toEqual([]);
  });
  it('count in all forms of the language, or in none', () => {
    const forms = formsOf(language);
    const counted = [...all.keys()].filter((key) => formOf(key));
    expect(counted.filter((key) => baseOf(key, all) === key)).toEqual([]);
    const incomplete = bases.filter((base) => all.has(`${base}_other`) && forms.some((form) => !all.has(`${base}_${form}`)));
    expect(incomplete).toEqual([]);
    // i18next asks for `_zero` first in any language.
    expect(counted.filter((key) => ![...forms, 'zero'].includes(formOf(key) ?? ''))).toEqual([]);
  });
  it('are nowhere empty and nowhere padded', () => {
    expect([...all].filter(([, text]) => text === '' || text !== text.trim()).map(([key]) => key)).toEqual([]);
  });
  it('hold no markup and no nesting', () => {
    expect([...all].filter(([, text]) => /<\/?[a-z]|\$t\(/i.test(text)).map(([key]) => key)).toEqual([]);
  });
  it('hold the same parameters as in the other language', () => {
    const other = texts[language === 'en' ? 'ru' : 'en'];
    const parameters = (words: Map<string, string>): Map<string, Set<string>> => {
      const found = new Map<string, Set<string>>();
      for (const [key, text] of words) {
        const base = baseOf(key, words);
        found.set(base, new Set([...(found.get(base) ?? []), ...parametersOf(text)]));
      }
      return found;
    };
    const [ours, theirs] = [parameters(all), parameters(other)];
    const listed = (of: Map<string, Set<string>>, base: string): string => [...(of.get(base) ?? [])].toSorted().join();
    expect(bases.filter((base) => listed(ours, base) !== listed(theirs, base))).toEqual([]);
  });
});

/** Words that people write in Latin letters in Russian too: brands, protocols, formats, units of code. */
const latin = new Set(
  'Doorward PostgreSQL HTTP HTTPS TLS TCP UDP STUN RTP AVP SAVP DNS DHCP ONVIF Axis Hikvision Dahua SIP sip realm ws wss https WebSocket Asterisk FreeSWITCH Kamailio SOS IP URL SDK HEX ASCII MQTT gRPC SMS QR ID Ukey Ukey2 DEC Siri Apple Watch Wallet WWDR iPhone RRGGBB Chrome Edge Firefox Safari RTSP PEM RSA EC HMAC SHA256 https http rtsp hooks camera events stream org CSV XLSX JSON PDF API SMTP STARTTLS Mailgun Excel PNG SVG JPEG WebP GIF UTC UTF Ctrl Esc Enter Shift Tab Backspace Caps Lock name example com DD MM YYYY HH NN SS dec hex English EN RU'.split(
    ' ',
  ),
);

describe('the words in Russian', () => {
  const strangers = [...texts.ru].flatMap(([key, text]) =>
    (text.replaceAll(/\{\{[^}]*\}\}|#[\dA-F]{6}/g, '').match(/[A-Za-z][A-Za-z\d]+/g) ?? [])
      .filter((word) => !latin.has(word))
      .map((word) => `${key}: ${word}`),
  );
  it('are Russian but for names', () => expect(strangers).toEqual([]));
  it('quote as Russian does', () => {
    expect([...texts.ru].filter(([key, text]) => /[“”]/.test(text) && !key.startsWith('validation.name_characters')).map(([key]) => key)).toEqual([]);
  });
  it('do not say «ты»', () => {
    const informal = /(?:^|[^\p{L}])(?:ты|тебя|тебе|твой|твоя|твои|твоё)(?:$|[^\p{L}])/iu;
    expect([...texts.ru].filter(([, text]) => informal.test(text)).map(([key]) => key)).toEqual([]);
  });
});
describe('the words in English', () => {
  it('hold no Cyrillic but the name of the other language', () => {
    expect([...texts.en].filter(([, text]) => /\p{Script=Cyrillic}/u.test(text.replace('Русский', ''))).map(([key]) => key)).toEqual([]);
  });
});

/** What a failure carries, enough to fill every message of the catalogue. */
const data = { used: 12, max: 10, days: 5, name: 'A-12', max_count: 21, max_days: 3, names: ['Tower A', 'Tower B'] };

describe.each(locales)('a problem said in %s', async (language) => {
  const words = await openWords(language);
  const speaker = {
    t: (key: string, params?: Record<string, unknown>) => String(words.t(key, params ?? {})),
    has: (key: string, params?: Record<string, unknown>) => words.exists(key, params ?? {}),
    locale: language,
  };
  const script = language === 'ru' ? /\p{Script=Cyrillic}/u : /[a-z]/;

  it.each(wireCodes)('%s has words of its own', (code) => {
    const { text, details } = sayProblem(speaker, { code, message: messageOf(code, data), data });
    expect(text).toMatch(script);
    expect(text).not.toMatch(/[{}]|errors\./);
    expect(text).not.toBe(words.t('errors.default_error'));
    expect(details).toBeUndefined();
  });
  it.each(wireCodes)('%s is found by its key as catalogued', (code) => {
    const key = `errors.http.${messageKey(catalogueMessage(code))}`;
    expect(words.exists(key, { count: 2 })).toBe(true);
    expect(words.t(key, { ...data, count: 2 })).toMatch(script);
  });
  it.each(localCodes)('%s has words of its own', (code) => {
    expect(sayProblem(speaker, { code }).text).toMatch(script);
    expect(sayProblem(speaker, { code }).text).not.toBe(words.t('errors.default_error'));
  });
  it('ends in words that help', () => {
    const mute = wireCodes
      .map((code) => sayProblem(speaker, { code, message: messageOf(code, data), data }).text)
      .filter((text) => !/[.!?]$/.test(text));
    expect(mute).toEqual([]);
  });
  it('names the related rows where there are any', () => {
    const message = 'invalid related entity sent';
    expect(sayProblem(speaker, { code: 'invalid_related', message, data: { names: ['Tower A', 'Tower B'] } }).text).toContain('Tower A, Tower B');
    expect(sayProblem(speaker, { code: 'invalid_related', message, data: { names: [] } }).text).not.toMatch(/:\s*\.|\{\{/);
  });
  it('counts as the language does', () => {
    const said = [1, 2, 5, 21].map(
      (days) =>
        sayProblem(speaker, { code: 'licence_expires_in_days', message: messageOf('licence_expires_in_days', { days }), data: { days } }).text,
    );
    const forms = { en: ['1 day.', '2 days.', '5 days.', '21 days.'], ru: ['1 день.', '2 дня.', '5 дней.', '21 день.'] }[language];
    expect(said.map((text, at) => text.includes(forms[at] ?? '?'))).toEqual([true, true, true, true]);
  });
  it('counts the letters of a rule as the language does', () => {
    const said = [1, 31, 255].map((length) => sayIssue(speaker, { rule: 'max_length', params: { length } }));
    expect(said).toEqual(
      {
        en: ['At most 1 character', 'At most 31 characters', 'At most 255 characters'],
        ru: ['Не больше 1 символа', 'Не больше 31 символа', 'Не больше 255 символов'],
      }[language],
    );
  });
  it('has the default of the specification', () => {
    expect(words.t('errors.default_error')).toBe(
      { en: 'Error performing action. Contact support.', ru: 'Ошибка при выполнении действия. Обратитесь в поддержку.' }[language],
    );
  });
});

describe('a message the catalogue does not have', () => {
  it.each([
    ['en', { text: 'Disk on fire' }],
    ['ru', { text: 'Ошибка при выполнении действия. Обратитесь в поддержку.', details: 'Disk on fire' }],
  ] as const)('is shown in %s as it came, or as details', async (language, sentence) => {
    const words = await openWords(language);
    const speaker = { t: (key: string) => String(words.t(key)), has: (key: string) => words.exists(key), locale: language };
    expect(sayProblem(speaker, { code: 'internal', message: 'Disk on fire' }).text).not.toBe('');
    expect(sayProblem(speaker, { code: 'strange' as never, message: 'Disk on fire' })).toEqual(sentence);
  });
});

describe('the rules', () => {
  const sources = sourcesIn(['models', 'server', 'src', 'machines']);
  const named = [
    ...findAll(sources, /\b(?:own|rule|typed)\(\s*'([a-z_]+)'/g),
    ...findAll(sources, /\brule:\s*'([a-z_]+)'/g).filter(({ found }) => !(filterRules as readonly string[]).includes(found)),
    ...findAll(sources, /\binvalidField\(\[[^\]]*\],\s*'([a-z_]+)'/g),
    ...findAll(sources, /\brefs\('[\w-]+',\s*\d+,\s*'([a-z_]+)'/g),
    ...findAll(
      sources.filter(({ path }) => path === 'models/issues.ts'),
      /'([a-z_]+)',\s*\{/g,
    ),
  ];
  it('are found in the sources', () => {
    const rules = named.map(({ found }) => found);
    for (const rule of ['required', 'max_length', 'user_needs_group', 'user_needs_email', 'number', 'one_of', 'common_password'])
      expect(rules).toContain(rule);
  });
  it('have words, every one', () => {
    const silent = new Set(wordless(named.map(({ found }) => `validation.${found}`)));
    expect([...silent]).toEqual([]);
  });
  it('have words where a code of the catalogue is told of a field', () => {
    const taken = findAll(sourcesIn(['server']), /\bcode\??:\s*'((?:email_used|not_unique|domain_address_exists)[^']*)'/g).map(({ found }) => found);
    expect(wordless([...taken, 'not_unique', 'email_used', 'domain_address_exists'].map((code) => `validation.${code}`))).toEqual([]);
  });
});

describe('the permissions', () => {
  it('have a name each', () => expect(wordless(permissionCodes.map((code) => `permissions.codes.${code}`))).toEqual([]));
  it('have a name for each area', () => expect(wordless(Object.keys(permissionCatalogue).map((area) => `permissions.areas.${area}`))).toEqual([]));
  it('have no words for codes that are not there', () => {
    const known = new Set<string>(permissionCodes);
    const strays = [...texts.en.keys()]
      .filter((key) => /^permissions\.(codes|hints)\./.test(key))
      .filter((key) => !known.has(key.split('.')[2] ?? ''));
    expect(strays).toEqual([]);
  });
  it('have names that differ within an area', () => {
    for (const language of locales)
      for (const codes of Object.values(permissionCatalogue)) {
        const names = codes.map((code) => texts[language].get(`permissions.codes.${code}`));
        expect(new Set(names).size).toBe(names.length);
      }
  });
});

describe('the errors', () => {
  it('have no words for messages that are not in the catalogue', () => {
    const known = new Set(wireCodes.map((code) => messageKey(catalogueMessage(code))));
    const strays = [...texts.en.keys()]
      .filter((key) => key.startsWith('errors.http.'))
      .map((key) =>
        baseOf(key, texts.en)
          .slice('errors.http.'.length)
          .replace(/_unnamed$/, ''),
      );
    expect(strays.filter((key) => !known.has(key))).toEqual([]);
  });
});
