import { describe, expect, it } from 'vitest';
import { catalogueMessage, isMessageOf, isWireCode, messageKey, messageOf, statusOf, wireCodes } from '#models/problem.ts';

describe('the key of a message', () => {
  it.each([
    ['Unauthenticated', 'unauthenticated'],
    ["can't perform action", 'cant perform action'],
    ['Say "no" to «this» “and” ‘this’', 'say no to this and this'],
    ['limit exceeded, used {used}, max {max}', 'limit exceeded, used {used}, max {max}'],
    ['', ''],
  ])('%j is %j', (message, key) => expect(messageKey(message)).toBe(key));

  it('is its own key', () => {
    for (const code of wireCodes) {
      const key = messageKey(catalogueMessage(code));
      expect(messageKey(key)).toBe(key);
    }
  });
});

describe('the wire message of a code', () => {
  it('has its parameters filled in', () => {
    expect(messageOf('limit_exceeded', { used: 4, max: 3 })).toBe('limit exceeded, used 4, max 3');
    expect(messageOf('licence_expires_in_days', { days: 5 })).toBe('the licence expires in 5 days');
    expect(messageOf('identifier_not_saved', { name: '$& {name}' })).toBe('error saving identifier $& {name}');
  });
  it('keeps the braces of what is not known', () => {
    expect(messageOf('limit_exceeded', { used: 4 })).toBe('limit exceeded, used 4, max {max}');
    expect(messageOf('limit_exceeded', null)).toBe(catalogueMessage('limit_exceeded'));
  });
});

describe('a message of a code', () => {
  it.each([
    ['limit_exceeded', 'Limit exceeded, used 4, max "3"', true],
    ['limit_exceeded', 'limit exceeded, used {used}, max {max}', true],
    ['guest_days_limit', 'max days limit reached (21)', true],
    ['limit_exceeded', 'limit exceeded', false],
    ['guest_days_limit', 'max days limit reached 21', false],
    ['not_found', 'Item Not Found', true],
    ['not_found', 'no item not found here', false],
  ] as const)('%s: %s', (code, message, yes) => expect(isMessageOf(code, message)).toBe(yes));
  it('is its own catalogued one, and no other code’s', () => {
    for (const code of wireCodes) expect(wireCodes.filter((other) => isMessageOf(other, messageOf(code)))).toEqual([code]);
  });
});

describe('codes', () => {
  it('are told from other words', () => {
    expect(isWireCode('not_found')).toBe(true);
    expect(['', 'constructor', 'toString', '__proto__', null, 7].filter(isWireCode)).toEqual([]);
  });
  it('stand for failures', () => {
    expect(wireCodes.filter((code) => statusOf(code) < 400 || statusOf(code) > 599)).toEqual([]);
  });
});
