import { expect, it } from 'vitest';
import { plainCode } from '#models/ukey2.ts';

it.each(['ABCD-2345-EFGH', 'abcd 2345 efgh', ' ABCD2345-efgh '])('the activation code %j is compared without spaces, dashes and case', (typed) => {
  expect(plainCode(typed)).toBe('ABCD2345EFGH');
});
