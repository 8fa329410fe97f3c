import { z } from 'zod';
import { constants } from './constants.ts';
import { isHost } from './sip-address.ts';
import { secondsIn } from './time.ts';
import { isZoneName } from './zone.ts';

/**
 * The field rules of spec A5 as zod schemas. A rule's message is a key below `validation` in the locales; its
 * parameters travel beside it (see issues.ts).
 */
const NAME = /^[\p{L}\p{M}\p{Nd} .,\-–_'’"&()/№#]+$/u;
const PHONE = /^\+[1-9]\d{6,14}$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** The parts of `scheme://host:port/path`; the host and what follows it alone where no scheme stands in front. */
const ADDRESS_PARTS = /^(?:[a-z][a-z\d+.-]*:\/\/(?:[^\s/?#@]*@)?)?(?<host>\[[\da-f:.]+\]|[^\s/?#:@]+)(?::(?<port>\d{1,6}))?(?<rest>[/?#]\S*)?$/i;
/** Labels of letters, digits and inner dashes; the last holds a letter, or it would be a mistyped IP address. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*(?=[^.]*[a-z])[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const IPV4_PREFIX = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\/(?:3[0-2]|[12]?\d)$/;
// oxlint-disable-next-line no-control-regex -- a text that the database cannot keep is refused at the door
const UNSTORABLE = /[\u0000]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const codePoints = (text: string): number => Array.from(text).length;
const own = (rule: string, params: Record<string, string | number> = {}) => ({ message: rule, params: { rule, ...params } });
/** What a value of the wrong type is told: that it is missing, or `rule`. Zod drops the value before an issue can be read, so it is said here. */
const typed = (rule = 'invalid') => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null || input === '' ? 'required' : rule),
});
/** Whether a text can be kept: no NUL, no half of a surrogate pair. */
export const isStorable = (value: string): boolean => !UNSTORABLE.test(value);

/** Text as typed, at most `max` characters counted as people count them (code points); trimmed. */
export const text = (max = 255) =>
  z
    .string()
    .trim()
    .refine(isStorable, own('unstorable_characters'))
    .refine((value) => codePoints(value) <= max, own('max_length', { length: max }))
    .meta({ kind: 'text', max });

/** Text that may be missing: an empty input is sent as null. */
export const optionalText = (max = 255) => text(max).nullable();

/** Text that must be there; `missing` is the rule that says so. */
export const requiredText = (max = 255, missing = 'required') => text(max).refine((value) => value.length > 0, own(missing));

/** A name-like value: 1 to 31 characters of the alphabet settled in the contract. */
export const name = () =>
  requiredText(constants.nameLength.max)
    .refine((value) => value === '' || NAME.test(value), own('name_characters'))
    .meta({ kind: 'text', max: constants.nameLength.max, label: true });

/** An e-mail address, at most 254 characters. */
export const email = () =>
  requiredText(254)
    .refine((value) => value === '' || z.email().safeParse(value).success, own('email'))
    .meta({ kind: 'email' });
/** A phone number in international format, `+` and 7 to 15 digits. Spaces, dashes and brackets are dropped. */
export const phone = () =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.replaceAll(/[\s()-]/g, '') : value),
      z.string().refine((value) => PHONE.test(value), own('phone', { phone: '+12025550123' })),
    )
    .meta({ kind: 'phone' });
/** An IPv4 address. */
export const ip = () => requiredText(45).refine((value) => IPV4.test(value), own('ip'));
/** An IPv4 address with its prefix, like 10.0.0.0/24. */
export const ipWithPrefix = () => requiredText(18).refine((value) => IPV4_PREFIX.test(value), own('ip_with_prefix'));
const isServer = (value: string): boolean => {
  const { host = '', port, rest } = ADDRESS_PARTS.exec(value)?.groups ?? {};
  const isNamed = IPV4.test(host) || HOST_NAME.test(host) || (host.startsWith('[') && isHost(host));
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return isNamed && isPort && (rest === undefined || value.includes('://'));
};
/** An IPv6 address without brackets, behind which no port can stand. */
const isBareIpv6 = (value: string): boolean => value.includes(':') && !value.startsWith('[') && isHost(value);
/** Where a server is reached: a host name, an IP address or a URL, with a port after a colon if need be (an IPv6 address in brackets then). */
export const urlOrIp = () => requiredText(255).refine((value) => value === '' || isServer(value) || isBareIpv6(value), own('url_or_ip'));
/** An IPv4 subnet mask: ones from the left, then noughts. */
export const subnetMask = () =>
  requiredText(15).refine((value) => {
    const bits = value.split('.').map((part) => Number(part).toString(2).padStart(8, '0'));
    return value === '' || (IPV4.test(value) && /^1+0*$/.test(bits.join('')));
  }, own('subnet_mask'));
/** Apartments as people write them: numbers, ranges from low to high, with commas between; a letter may follow a single number. */
export const apartmentRanges = (max: number) =>
  text(max).refine(
    (value) =>
      value === '' ||
      value.split(',').every((part) => {
        const [, from, to] = /^\s*(\d{1,5})(?:\p{L}|\s*[-–]\s*(\d{1,5}))?\s*$/u.exec(part) ?? [];
        return from !== undefined && (to === undefined || Number(from) <= Number(to));
      }),
    own('apartment_ranges'),
  );
/** A time zone by its IANA name, like Asia/Kolkata. */
export const timeZoneName = () => requiredText(64).refine((value) => value === '' || isZoneName(value), own('time_zone_name'));
/** Digits alone, leading zeros kept. */
export const numeric = () => requiredText(64).refine((value) => /^\d+$/.test(value), own('numeric'));
/** A number in digits or in hexadecimal, with or without 0x. */
export const numberOrHex = () => requiredText(64).refine((value) => /^(?:\d+|(?:0x)?[\da-f]+)$/i.test(value), own('number_or_hex'));
/** Latin letters and digits. */
export const alphanumeric = () => requiredText(64).refine((value) => /^[\da-z]+$/i.test(value), own('alphanumeric'));
/** Latin letters, digits, dash and underscore. */
export const slug = () => requiredText(64).refine((value) => /^[\w-]+$/.test(value), own('slug'));
/** A slug that may hold backslashes. */
export const slugOrBackslash = () => requiredText(64).refine((value) => /^[\w\\-]+$/.test(value), own('slug_or_backslash'));
/** What a keyboard of any country writes: printable ASCII. */
export const ascii = (max = 255) => requiredText(max).refine((value) => /^[\u0020-\u007e]*$/.test(value), own('ascii'));

/** A whole number in `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  z
    .int(typed('number'))
    .refine((value) => value >= min && value <= max, own('between', { min, max }))
    .meta({ kind: 'number', min, max });

/** A whole number in `min` to `max` that says by its own rule what lies outside. */
export const placeIn = (min: number, max: number, outside: string) =>
  z
    .int(typed('number'))
    .refine((value) => value >= min && value <= max, own(outside))
    .meta({ kind: 'number', min, max });

/** Degrees of latitude (90) or longitude (180); the codec reads a decimal comma as a point. */
export const degrees = (furthest: 90 | 180) =>
  z
    .number(typed('decimal'))
    .refine((value) => Math.abs(value) <= furthest, own('between', { min: -furthest, max: furthest }))
    .meta({ kind: 'number', min: -furthest, max: furthest });

/** A time of day in seconds since midnight; 86,400 is the midnight at its end. */
export const timeOfDay = () =>
  z
    .int(typed('time_of_day'))
    .refine((value) => value >= 0 && value <= secondsIn(1, 'day'), own('time_of_day'))
    .meta({ kind: 'time-of-day' });
/** A day of the calendar as YYYY-MM-DD, wherever one is. */
export const calendarDate = () => z.iso.date(typed('calendar_date')).meta({ kind: 'date' });

/** A limit: a whole number, or null for "no limit" (an empty input). */
export const limit = (min: number, max: number) => wholeNumber(min, max).nullable();

const accountPassword = { min: 10, max: 128 };
/** An account password: 10 to 128 characters of any kind; the server refuses those that everybody tries first. */
export const password = () =>
  z
    .string()
    .refine((value) => codePoints(value) >= accountPassword.min, own('min_length', { length: accountPassword.min }))
    .refine((value) => codePoints(value) <= accountPassword.max, own('max_length', { length: accountPassword.max }))
    .meta({ kind: 'password', secret: true });

/** A secret of somebody else's making, at most `max` characters; write-only. */
export const secret = (max: number) =>
  z
    .string()
    .refine((value) => value.length > 0, own('required'))
    .refine(isStorable, own('unstorable_characters'))
    .refine((value) => codePoints(value) <= max, own('max_length', { length: max }))
    .meta({ kind: 'password', secret: true, max });

/** The SIP password of a device: 6 to 31 characters of the settled set, mixed. */
export const devicePassword = () =>
  z
    .string()
    .refine((value) => value.length >= constants.devicePasswordLength.min, own('min_length', { length: constants.devicePasswordLength.min }))
    .refine((value) => value.length <= constants.devicePasswordLength.max, own('max_length', { length: constants.devicePasswordLength.max }))
    .refine((value) => /^[\w.\-!@#$%*+=]*$/.test(value), own('sip_password_characters'))
    .refine((value) => /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value), own('sip_password_mix'))
    .meta({ kind: 'password', secret: true });

/** A colour as #rrggbb. */
export const color = () =>
  z
    .string()
    .refine((value) => /^#[\da-f]{6}$/i.test(value), own('color'))
    .meta({ kind: 'color' });
/** Yes or no. */
export const flag = () => z.boolean(typed()).meta({ kind: 'flag' });

/** A field that names one row of another area; on the wire its id. */
export const ref = (area: string) => z.uuid(typed()).meta({ kind: 'ref', ref: area });
/** The name a person signs in with (spec A5: username is required); nothing in it that cannot be seen, so that no two look alike. */
export const username = (max: number) =>
  requiredText(max, 'username_required').refine((value) => !UNSEEN.test(value) || !isStorable(value), own('unseen_characters'));

/** A field that names several rows of another area, at least `min`; on the wire their ids, each once. */
export const refs = (area: string, min = 0, rule = 'required') =>
  z
    .array(z.uuid())
    .max(10_000)
    .transform((ids) => [...new Set(ids)])
    .refine((ids) => ids.length >= min, own(rule))
    .meta({ kind: 'refs', ref: area, min });

/** One of a closed set of words. */
export const choice = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, typed('one_of')).meta({ kind: 'choice', words });

/** Two fields that must hold the same value, reported at the second. */
export const mustMatch = (first: string, second: string) => ({
  check: (value: Record<string, unknown>) => value[first] === value[second],
  issue: { ...own('must_match'), path: [second] },
});

/** A rule of one's own: `schema.refine(test, rule('slot_overlap'))`. */
export const rule = own;
