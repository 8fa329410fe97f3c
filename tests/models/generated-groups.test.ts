import { describe, expect, it } from 'vitest';
import { formOf } from '#models/define-form.ts';
import { addressRangeForm } from '#models/forms/address-range.ts';
import { asLevel, freshLevel, generatedGroupsForm, numbersIn } from '#models/forms/generated-groups.ts';

const id = '5f0c8b1e-1d3a-4f6e-9a55-2a8a0a6e9a11';

it.each([
  ['13, 20-22', [13, 20, 21, 22]],
  ['1;2 3\n4–5', [1, 2, 3, 4, 5]],
  ['7-7', [7]],
  ['', []],
  [' , ', []],
  ['4-', null],
  ['5-4', null],
  ['a', null],
  ['12345678', null],
  ['-5', null],
])('the numbers in %j are %j', (text, numbers) => expect(numbersIn(text)).toEqual(numbers));
it('ten thousand numbers are read, and no more', () => {
  expect([numbersIn('1-10000')?.length, numbersIn('1-10001'), numbersIn('1-5000, 1-5000')?.length, numbersIn('1-5000, 1-5001')]).toEqual([
    10_000,
    null,
    10_000,
    null,
  ]);
});

describe('a level of groups', () => {
  it('is sent as numbers, a prefix only where there is one', () => {
    expect(asLevel({ ...freshLevel(1), type: id, count: ' 3 ', from: '0', except: '4, 13', runsOn: true })).toEqual({
      id,
      count: 3,
      prefix: null,
      logic_number: true,
      numeration: { from: 0, except: [4, 13], is_in_youngest_num: true, is_start_youngest_num: false },
    });
    expect(asLevel({ ...freshLevel(1), prefix: 'Flat ', count: '1.5', from: 'x', except: 'x' })).toMatchObject({
      prefix: 'Flat ',
      count: Number.NaN,
      numeration: { from: Number.NaN, except: [] },
    });
  });
  it('says what is wrong with it where it stands', () => {
    const read = generatedGroupsForm.read(
      {
        levels: [
          { ...freshLevel(1), type: id },
          { ...freshLevel(2), except: '4-', from: '' },
        ],
        proposed: null,
      },
      undefined as never,
      { id },
    );
    const issues = 'issues' in read ? (read.issues ?? []) : [];
    expect(issues.map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual([
      'levels.1.type required',
      'levels.1.from number',
      'levels.1.except invalid',
    ]);
  });
  it('is needed', () => {
    const read = generatedGroupsForm.read({ levels: [], proposed: null }, undefined as never, { id });
    expect('issues' in read && read.issues?.length).toBe(1);
  });
  it('is known by its name among the forms', () => {
    expect([formOf('generated-groups'), generatedGroupsForm.start(undefined as never)]).toEqual([
      generatedGroupsForm,
      { levels: [freshLevel(1)], proposed: null },
    ]);
  });
});

it.each([
  ['10.0.0.1', '10.0.0.1', []],
  ['10.0.0.1', '10.0.4.0', []],
  ['10.0.0.1', '10.0.4.1', ['end_ip.size invalid']],
  ['10.0.0.2', '10.0.0.1', ['end_ip.order invalid']],
  ['9.255.255.255', '10.0.0.0', []],
  ['', '10.0.0.1', ['start_ip required']],
])('the range from %j to %j: %j', (start_ip, end_ip, issues) => {
  const read = addressRangeForm.read({ start_ip, end_ip }, undefined as never, undefined as never);
  expect(('issues' in read ? (read.issues ?? []) : []).map(({ path, rule }) => `${path.join('.')} ${rule}`)).toEqual(issues);
});
