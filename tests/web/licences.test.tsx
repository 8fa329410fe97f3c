import { render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { I18nextProvider } from 'react-i18next';
import { describe, expect, it } from 'vitest';
import { consistencyItems, type ConsistencyItem } from '#models/consistency.ts';
import { constants, type Locale } from '#models/constants.ts';
import { allLicensed, type LicenceInfo } from '#models/licence-info.ts';
import { openClosed } from '#src/adapters/licence.ts';
import { openStore } from '#src/adapters/storage.ts';
import { ConsistencyPanel } from '#src/components/consistency.tsx';
import { LicencesField } from '#src/components/fields/licences-field.tsx';
import { PeriodField } from '#src/components/fields/period-field.tsx';
import { SeatBar } from '#src/components/seat-bar.tsx';
import { TextProvider } from '#src/components/text-provider.tsx';
import { ClockworkContext } from '#src/components/when.tsx';
import { openWords } from '#tests/house/texts.ts';
import { fill, newUser } from './support/user.ts';

const at = Date.UTC(2026, 2, 2) / 1_000;
const day = 86_400;

/** Draws a piece for somebody two hours east of UTC who reads days first. @returns takes it away again */
async function drawn(piece: ReactElement, locale: Locale = 'en'): Promise<() => void> {
  const words = await openWords(locale);
  const { unmount } = render(
    <I18nextProvider i18n={words}>
      <ClockworkContext value={{ zoneHours: 2, zoneName: null, timeFormat: 'DD-MM-YYYY', now: () => at * 1_000 }}>
        <TextProvider>{piece}</TextProvider>
      </ClockworkContext>
    </I18nextProvider>,
  );
  return unmount;
}
const text = (): string => document.body.textContent;
const input = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });

const field = {
  id: 'f',
  path: 'licenseInfo.period',
  area: 'groups',
  label: '',
  meta: { kind: 'period', nullable: false, optional: false },
  readOnly: false,
  invalid: false,
  describedBy: undefined,
  required: false,
  draft: {},
};

describe('a licence period', () => {
  it('is asked for by its first and last day where the person lives; the last day belongs to it', async () => {
    const user = newUser();
    const heard: unknown[] = [];
    const period = { from: at - 2 * 3_600, to: at - 2 * 3_600 + 10 * day };
    await drawn(<PeriodField {...field} value={period} onChange={(next) => heard.push(next)} />);
    expect([input('First day').value, input('Last day').value]).toEqual(['02-03-2026', '11-03-2026']);
    await fill(user, input('Last day'), '12-03-2026');
    await fill(user, input('First day'), '');
    expect(heard).toEqual([
      { from: period.from, to: period.to + day },
      { from: 0, to: period.to },
    ]);
  });
  it('without limits is empty to change, and said in words to read', async () => {
    const value = constants.unlimitedLicencePeriod;
    const away = await drawn(<PeriodField {...field} value={value} onChange={() => {}} />);
    expect([input('First day').value, input('Last day').value]).toEqual(['', '']);
    away();
    await drawn(<PeriodField {...field} readOnly value={value} onChange={() => {}} />);
    expect(text()).toBe('no expiry');
  });
});

describe('the features of a licence', () => {
  const given: LicenceInfo = { ...allLicensed, elevator: { is_enabled: false }, ukey2: { is_enabled: true, license_count: 40 } };
  const own: LicenceInfo = { ...allLicensed, amenity: { is_enabled: false } };
  const licences = { ...field, path: 'licenseInfo.info', label: 'Licences', value: own, onChange: () => {} };

  it('stand in the order of the contract, whatever order the database kept', async () => {
    const turned = Object.fromEntries(Object.entries(own).toReversed());
    await drawn(<LicencesField {...licences} value={turned} />);
    const [whole, first] = screen.getAllByRole('group');
    expect(whole).toBe(screen.getByRole('group', { name: 'Licences' }));
    expect(first).toBe(screen.getByRole('group', { name: 'Telephony (SIP)' }));
  });
  it('that are not to be had are marked; one that is off cannot be switched on, one that is on can be switched off', async () => {
    const nothing: LicenceInfo = { ...given, amenity: { is_enabled: false } };
    await drawn(<LicencesField {...licences} given={nothing} />);
    const isLocked = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name }).disabled;
    expect([/^Elevators enabled/, /^Amenities enabled/, /^Telephony enabled/].map(isLocked)).toEqual([false, true, false]);
    const marked = screen.getAllByRole<HTMLInputElement>('checkbox', { name: /Not included in the parent licence$/ });
    expect(marked.map(({ labels }) => labels?.[0]?.textContent)).toEqual([
      'Elevators enabledNot included in the parent licence',
      'Amenities enabledNot included in the parent licence',
    ]);
  });
  it('have counts that say how many there are, and are only read by those who may not edit them', async () => {
    const away = await drawn(<LicencesField {...licences} given={given} />);
    expect(input('Ukey2 keys').placeholder).toBe('Up to 40');
    away();
    await drawn(<LicencesField {...licences} given={given} countsLocked />);
    expect([screen.queryByRole('textbox', { name: 'Ukey2 keys' }), screen.queryByText('Ukey2 keys') === null]).toEqual([null, false]);
  });
});

describe('consistency errors', () => {
  const item: ConsistencyItem = {
    type: 'quantity_exceeded',
    feature: 'sip',
    license_type: null,
    relation: { parent: null, child: { id: '1', name: 'Tower B' } },
    period: { from: at, to: at + 10 * day },
    qty: { target: 70, available: 50 },
  };
  const parent = { id: '2', name: 'Riverside' };
  const cases: [ConsistencyItem, en: string, ru: string][] = [
    [
      item,
      'Virtual numbers: all groups together need 70, but the project has 50 (02-03-2026 – 12-03-2026).',
      'Виртуальные номера: группам вместе нужно 70, в проекте есть 50 (02-03-2026 – 12-03-2026).',
    ],
    [
      { ...item, period: constants.unlimitedLicencePeriod },
      'Virtual numbers: all groups together need 70, but the project has 50.',
      'Виртуальные номера: группам вместе нужно 70, в проекте есть 50.',
    ],
    [
      { ...item, relation: { ...item.relation, parent } },
      '“Tower B”: Virtual numbers: 70 requested, but the parent group “Riverside” has 50.',
      '«Tower B»: Виртуальные номера: запрошено 70, у родительской группы «Riverside» есть 50.',
    ],
    [
      { ...item, type: 'license_type_missing', license_type: 'extension', relation: { ...item.relation, parent } },
      '“Tower B”: the parent group “Riverside” has no licence of type “Extension”.',
      '«Tower B»: у родительской группы «Riverside» нет лицензии типа «Расширение».',
    ],
    [
      { ...item, type: 'feature_missing', feature: 'elevator.is_enabled' },
      '“Tower B”: “Elevators enabled” is not licensed in the project.',
      '«Tower B»: функция «Лифты включены» не лицензирована в проекте.',
    ],
    [
      { ...item, type: 'period_missing' },
      '“Tower B”: the project has no basic licence for this period: 02-03-2026 – 12-03-2026.',
      '«Tower B»: в проекте нет базовой лицензии на этот срок: 02-03-2026 – 12-03-2026.',
    ],
  ];
  it.each(cases)('are said item by item (%#)', async (one, en, ru) => {
    const away = await drawn(<ConsistencyPanel items={[one]} />);
    expect(text()).toBe(en);
    away();
    await drawn(<ConsistencyPanel items={[one]} />, 'ru');
    expect(text()).toBe(ru);
  });
  it('have words for an empty list', async () => {
    await drawn(<ConsistencyPanel items={[]} />);
    expect(text()).toContain('does not match its parent group');
  });
  it('are read one by one: what is none of them hides no other', () => {
    const broken = [{ ...item, type: 'unheard_of' }, 7, null, { ...item, relation: { parent: 1 } }, { ...item, qty: { target: '7' } }];
    expect(consistencyItems({ items: [...broken, item] })).toEqual([item]);
    expect([consistencyItems({ items: [] }), consistencyItems({}), consistencyItems(null), consistencyItems('x')]).toEqual([[], null, null, null]);
  });
});

describe('a count of seats', () => {
  it.each([
    [79, 100, null],
    [80, 100, 'Running out'],
    [100, 100, 'All in use'],
    [0, 0, null],
    [500, null, null],
  ])('%i of %s', async (used, available, word) => {
    await drawn(<SeatBar label="Mobile apps" seats={{ feature: 'mobile_app', used, available }} />);
    expect(screen.getByText('Mobile apps')).toBeTruthy();
    expect(screen.queryByText(/^(Running out|All in use)$/)?.textContent.trim() ?? null).toBe(word);
  });
});

it('closed reminders are kept for each person, and let go after a year', () => {
  const storage = openStore(() => localStorage);
  let person = 'anna';
  const closed = openClosed(storage, () => person);
  closed.store({ topic: 'old', at });
  closed.store({ topic: 'new', at: at + 401 * day });
  expect(closed.read()).toEqual({ new: at + 401 * day });
  person = 'boris';
  expect(closed.read()).toEqual({});
  storage.write('closedReminders.boris', { broken: 'yes', fine: 5 });
  expect(closed.read()).toEqual({ fine: 5 });
});
