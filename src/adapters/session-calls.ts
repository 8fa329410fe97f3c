/**
 * The calls that signing in needs, as literals: models/api.ts carries every schema of the product, and the login page is
 * usable without them. tests/web/adapters.test.ts holds them equal to the contract.
 */
export const sessionCalls = {
  signIn: { method: 'POST', path: '/login', timeout: 3_000 },
  passkeySignIn: { method: 'POST', path: '/login/passkey' },
  secondStep: { method: 'POST', path: '/login/second-factor' },
  refresh: { method: 'POST', path: '/refresh' },
  profile: { method: 'GET', path: '/profile' },
  signOut: { method: 'POST', path: '/logout' },
  signOutEverywhere: { method: 'POST', path: '/logout/all' },
  switchProject: { method: 'POST', path: '/sessions/projects' },
  locale: { method: 'PATCH', path: '/profile/locale' },
} as const;
