import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loginPath, safeRedirect } from '#src/views/session/safe-redirect.ts';

const origin = 'https://doorward.example';

/** What hostile people put into ?redirect=; none may lead away from the own origin. */
const hostile = [
  '//evil.example',
  '///evil.example',
  '////evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '\\/evil.example',
  '/%5Cevil.example',
  '/%5cevil.example',
  '/%255Cevil.example',
  '/%2F%2Fevil.example',
  '%2F%2Fevil.example',
  '/%2f/evil.example',
  '/%252F%252Fevil.example',
  'https:evil.example',
  'https://evil.example',
  'https:/evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'http://doorward.example@evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/x',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/users\r\nLocation: //evil.example',
  '/%0d%0aLocation:%20//evil.example',
  '/%09/evil.example',
  '/a/../..//evil.example',
  '/a/..//evil.example',
  '/.//evil.example',
  '/a/%2e%2e//evil.example',
  '/login?redirect=//evil.example',
  '/login?redirect=/login?redirect=https://evil.example',
  '/choose-project?redirect=//evil.example',
  '?redirect=//evil.example',
  '#//evil.example',
  '.',
  '..//evil.example',
  'evil.example',
  '@evil.example',
  '/%E0%A4%A',
  '/%',
  '',
];

describe('where signing in leads (S11)', () => {
  it('is tried with at least 40 hostile values', () => expect(new Set(hostile).size).toBeGreaterThanOrEqual(40));

  it.each(hostile)('never follows %j', (value) => expect(safeRedirect(value)).toBe('/home'));

  it('is home when nothing was wanted', () => expect(safeRedirect(null)).toBe('/home'));

  it.each(['/users', '/users?page=2&size=50', '/groups/0b8e/edit?pageId=a1', '/profile#sessions', '/elevators/access-rules/add'])(
    'follows %s',
    (path) => expect(safeRedirect(path)).toBe(path),
  );

  it('keeps filters whole, whatever their text holds', () => {
    const path = `/users?filters=${encodeURIComponent('{"match":"match_all","items":[{"field":"name","rule":"contains","value":"a\\\\b//c"}]}')}`;
    expect(safeRedirect(path)).toBe(path);
  });

  it('stays on the own origin for any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        for (const value of [text, `/${text}`, `//${text}`, `/\\${text}`]) expect(new URL(safeRedirect(value), origin).origin).toBe(origin);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is carried by the login page, home like any other, and left out when it is not followed', () => {
    expect(loginPath('/users?page=2')).toBe('/login?redirect=%2Fusers%3Fpage%3D2');
    expect(loginPath('/home')).toBe('/login?redirect=%2Fhome');
    expect(loginPath('')).toBe('/login');
    expect(loginPath('//evil.example')).toBe('/login');
  });
});
