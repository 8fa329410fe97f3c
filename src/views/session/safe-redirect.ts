const home = '/home';
/** Stands for the own origin, so that the check needs no page to run in. */
const origin = 'https://own.invalid';

// oxlint-disable-next-line no-control-regex -- browsers drop tabs and line ends from addresses before they read them
const hostile = /[\u0000-\u0020\u007f\\]|\/\//;
/** Screens that send a signed-in person away at once. */
const signedOutOnly = /^\/(?:login|choose-project|registration|self-registration|password|second-factor)(?:\/|$)/;

/** A path with every layer of percent-encoding taken off, so that nothing hides in one. */
function unwrapped(path: string): string | null {
  let bare = path;
  for (let layer = 0; layer < 5; layer++) {
    let next: string;
    try {
      next = decodeURIComponent(bare);
    } catch {
      return null;
    }
    if (next === bare) return bare;
    bare = next;
  }
  return null;
}

/** Where to go after signing in: the wanted path if it is one of this origin's own, else home. */
export function safeRedirect(wanted: string | null): string {
  if (!wanted?.startsWith('/')) return home;
  const [pathname = ''] = wanted.split(/[?#]/, 1);
  const bare = unwrapped(pathname);
  if (bare === null || hostile.test(bare) || hostile.test(pathname)) return home;
  // oxlint-disable-next-line no-control-regex -- see above
  if (/[\u0000-\u001f\u007f]/.test(wanted)) return home;
  const url = new URL(wanted, origin);
  if (url.origin !== origin || hostile.test(url.pathname) || signedOutOnly.test(url.pathname) || url.pathname === '/') return home;
  return url.pathname + url.search + url.hash;
}

/** The login page's address that leads back to where one wanted to go (spec A2.1); bare where nothing was wanted, or nothing that is followed. */
export const loginPath = (wanted: string): string =>
  wanted !== home && safeRedirect(wanted) === home ? '/login' : `/login?redirect=${encodeURIComponent(wanted)}`;
