/** A key as the server makes it; anything else opens no page. */
export const isGuestKey = (text: string): boolean => /^[\w-]{16,64}$/.test(text);

/** Addresses of the console below the same path: the form of a new guest, and one guest by id. */
const consoles = /^(?:add|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/**
 * The key in the address of a guest's page, however it was mistyped or cut short on its way: who follows it is a guest and has no use for a
 * sign-in. Null for every other address. `path` begins with a slash.
 */
export function keyInAddress(path: string): string | null {
  const [, key = ''] = /^\/guest-access\/([^/?#]+)\/?(?:[?#]|$)/.exec(path) ?? [];
  return key === '' || consoles.test(key) ? null : key;
}
