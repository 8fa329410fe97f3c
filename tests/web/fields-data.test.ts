import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Locale } from '#models/constants.ts';
import { areaNames } from '#models/areas.ts';
import { modelOf } from '#models/index.ts';
import { readableOn } from '#src/components/chips.tsx';
import { leavesOf, metaAt, valueAt, wordsOf } from '#src/components/fields/field-meta.ts';
import { asNotified } from '#src/components/fields/notify-field.tsx';
import { readDay, writeDay } from '#src/components/day-text.ts';
import { asAsked, firstRule, firstValue, isWhole } from '#src/components/filters/filter-props.ts';
import { squareOf } from '#src/components/image-cropper.tsx';
import { exactTime, relativeTime } from '#src/components/when.tsx';
import { dayName } from '#src/views/phone/recent-days.ts';
import { type FilterKind, rulesByKind } from '#models/query.ts';
import { uuid } from '#tests/support/people.ts';

describe('what a model says about a field', () => {
  it.each([
    ['users', 'name', 'text', undefined],
    ['users', 'email', 'email', undefined],
    ['users', 'profile.phone', 'phone', undefined],
    ['users', 'role', 'ref', 'roles'],
    ['users', 'domains', 'refs', 'groups'],
    ['users', 'license_info', 'licences', undefined],
    ['roles', 'permissions', 'permissions', undefined],
    ['groups', 'parent_id', 'ref', 'groups'],
    ['groups', 'device_status_notify', 'notify', undefined],
    ['groups', 'guest_identifier_limits.max_passes_count', 'number', undefined],
    ['groups', 'apple_wallet.background_color', 'color', undefined],
    ['markers', 'color', 'color', undefined],
    ['group-types', 'has_logic_address', 'flag', undefined],
  ] as const)('%s.%s is %s', (area, path, kind, ref) => {
    const meta = metaAt(modelOf(area), path);
    expect([meta.kind, meta.ref]).toEqual([kind, ref]);
  });

  it('opens a block into its fields, and leaves what has a widget whole', () => {
    expect(leavesOf(modelOf('groups'), 'guest_identifier_limits')).toEqual([
      'guest_identifier_limits.max_passes_count',
      'guest_identifier_limits.max_period_days',
    ]);
    expect(leavesOf(modelOf('users'), 'license_info')).toEqual(['license_info']);
  });
  it('knows the words of a shown choice', () => {
    expect(wordsOf(modelOf('audit-events'), 'action')).toContain('sign_in');
    expect(wordsOf(modelOf('users'), 'name')).toEqual([]);
  });
  it('refuses a field that the model does not have', () => expect(() => metaAt(modelOf('users'), 'salary')).toThrow('salary'));
  it('finds a widget or a text for every writable field of every area', () => {
    for (const area of areaNames) {
      const model = modelOf(area);
      for (const path of Object.keys(model.fields).flatMap((field) => leavesOf(model, field))) expect(metaAt(model, path).kind).not.toBe('block');
    }
  });
  it('reads values at dotted paths, and nothing where there is none', () => {
    expect(valueAt({ profile: { phone: '+1' } }, 'profile.phone')).toBe('+1');
    expect(valueAt({ profile: null }, 'profile.phone')).toBeUndefined();
  });
});

describe('a coloured label', () => {
  const channel = (value: number) => (value / 255 <= 0.040_45 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16)));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  it('can be read on any colour (4.5 : 1, WCAG 2.2)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xff_ff_ff }), (number) => {
        const ground = `#${number.toString(16).padStart(6, '0')}`;
        const [low = 0, high = 0] = [luminance(ground), luminance(readableOn(ground))].toSorted((one, other) => one - other);
        expect((high + 0.05) / (low + 0.05)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('filters', () => {
  it('start with a rule that fits, and are asked only when they say something', () => {
    for (const kind of Object.keys(rulesByKind) as FilterKind[]) {
      const rule = firstRule(kind);
      expect(rulesByKind[kind]).toContain(rule);
      expect(isWhole(kind, { field: 'x', rule, value: firstValue(kind, rule) })).toBe(kind === 'flag');
    }
    expect(isWhole('text', { field: 'x', rule: 'contains', value: '  ' })).toBe(false);
    expect(isWhole('number', { field: 'x', rule: 'above', value: 'many' })).toBe(false);
    expect(isWhole('refs', { field: 'x', rule: 'has', value: ['a'] })).toBe(true);
    expect(isWhole('ref', { field: 'x', rule: 'is', value: null })).toBe(true);
  });
  it('are asked with numbers as numbers and text trimmed', () => {
    expect(asAsked('number', { field: 'x', rule: 'above', value: '12' }).value).toBe(12);
    expect(asAsked('text', { field: 'x', rule: 'contains', value: ' a ' }).value).toBe('a');
  });
});

describe('a date that is typed', () => {
  const orders = ['DD-MM-YYYY', 'MM-DD-YYYY', 'YYYY-MM-DD'] as const;
  it('is read as it is written, in each order, to the minute and in years of four digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), fc.constantFrom(...orders), (minutes, order) => {
        expect(readDay(writeDay(minutes * 60_000, order, true), order, true)).toBe(minutes * 60_000);
      }),
    );
  });
  it('may have other marks, no zeros, no time, or the order of ISO 8601', () => {
    const noon = Date.UTC(2026, 10, 3, 12, 5);
    for (const text of ['03-11-2026 12:05', '3.11.2026 12:05', '03/11/2026 12:05', ' 2026-11-03T12:05 '])
      expect(readDay(text, 'DD-MM-YYYY', true), text).toBe(noon);
    expect(readDay('3.11.2026', 'DD-MM-YYYY', true)).toBe(Date.UTC(2026, 10, 3));
    expect(readDay('11/3/2026', 'MM-DD-YYYY', false)).toBe(Date.UTC(2026, 10, 3));
  });
  it('is none where the calendar has no such day, or nothing is said', () => {
    for (const text of ['31-02-2026', '29-02-2027', '32-01-2026', '01-13-2026', '1', 'today', '', '03-11-2026 25:00', '03-11-26'])
      expect(readDay(text, 'DD-MM-YYYY', true), text).toBeNull();
  });
  it('leaves out its time where none is wanted', () => {
    expect(writeDay(Date.UTC(2026, 10, 3, 12), 'DD-MM-YYYY', false)).toBe('03-11-2026');
    expect(readDay('03-11-2026 12:00', 'DD-MM-YYYY', false)).toBeNull();
    expect(writeDay(null, 'DD-MM-YYYY', true)).toBe('');
  });
});

describe('time', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const utc = { zoneHours: 0, zoneName: null };
  const ago = (seconds: number, locale: Locale = 'en') => relativeTime(now - seconds * 1_000, now, locale, utc);
  it('is said as people say it, the day itself after a week', () => {
    expect([ago(0), ago(59), ago(480), ago(7_200), ago(86_400), ago(8 * 86_400), ago(400 * 86_400)]).toEqual([
      'just now',
      'just now',
      '8 minutes ago',
      '2 hours ago',
      'a day ago',
      'Mar 2',
      'Feb 3, 2025',
    ]);
    expect([ago(480, 'ru'), ago(86_400, 'ru'), ago(8 * 86_400, 'ru')]).toEqual(['8 минут назад', 'день назад', '2 мар.']);
  });
  it('is exact in the person’s zone and order of day, month and year', () => {
    const moment = Date.parse('2026-03-10T23:30:05Z');
    expect(exactTime(moment, { zoneHours: 2, zoneName: null, timeFormat: 'DD-MM-YYYY' })).toBe('11-03-2026 01:30:05');
    expect(exactTime(moment, { zoneHours: -8, zoneName: null, timeFormat: 'MM-DD-YYYY' })).toBe('03-10-2026 15:30:05');
  });
  it('is exact on both sides of a change of the clocks, and where zones have half hours', () => {
    const timeFormat = 'YYYY-MM-DD';
    const berlin = { zoneHours: 2, zoneName: 'Europe/Berlin', timeFormat } as const;
    const said = ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-10-25T00:59:59Z', '2026-10-25T01:00:00Z'];
    expect(said.map((moment) => exactTime(Date.parse(moment), berlin))).toEqual([
      '2026-03-29 01:59:59',
      '2026-03-29 03:00:00',
      '2026-10-25 02:59:59',
      '2026-10-25 02:00:00',
    ]);
    expect(exactTime(Date.parse('2026-03-10T18:45:00Z'), { zoneHours: 6, zoneName: 'Asia/Kolkata', timeFormat })).toBe('2026-03-11 00:15:00');
  });
  it('names yesterday by the calendar where a day has 25 hours', () => {
    // 23:45 of the day the clocks went back: 24 hours before it was 00:45 of the same day.
    const late = Date.parse('2026-10-25T22:45:00Z');
    const clockwork = { zoneHours: 1, zoneName: 'Europe/Berlin', timeFormat: 'YYYY-MM-DD', now: () => late } as const;
    expect([dayName('2026-10-25', clockwork), dayName('2026-10-24', clockwork)]).toEqual(['today', 'yesterday']);
  });
});

describe('the square of a picture', () => {
  it('always lies inside it', () => {
    const share = fc.float({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(share, share, share, fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 9_000 }), (x, y, size, width, height) => {
        const square = squareOf({ unit: '%', x: Math.min(x, 99), y: Math.min(y, 99), width: size, height: size }, width, height);
        // At the very edge one pixel is the least there is.
        const fits = (from: number, length: number) => square.size === 1 || from + square.size <= length;
        expect([square.size >= 1, fits(square.x, width), fits(square.y, height)]).toEqual([true, true, true]);
      }),
    );
  });
});

describe('who is notified', () => {
  const user = { id: uuid(1), name: 'Anna' };
  it('keeps the boxes of those who were there and tells new ones everything', () => {
    expect(asNotified({ user, device_offline: false, device_task_failed: true })).toEqual({ user, device_offline: false, device_task_failed: true });
    expect(asNotified({ ...user, device_offline: false, device_task_failed: true })).toEqual({
      user,
      device_offline: false,
      device_task_failed: true,
    });
    expect(asNotified(user)).toEqual({ user, device_offline: true, device_task_failed: true });
  });
});
