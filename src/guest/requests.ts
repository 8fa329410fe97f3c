import type { GuestOpening } from '#machines/guest.machine.ts';
import type { GuestPage } from '#models/guest-access.ts';
import { isGuestKey, keyInAddress } from '#models/guest-address.ts';
import type { Problem } from '#models/problem.ts';

interface Refused {
  error?: { code?: string };
  data?: unknown;
}
const asProblem = (code: string, data?: unknown): Problem => ({
  code: code as Problem['code'],
  ...(data !== undefined && data !== null && { data }),
});

/** Asks the server. @throws Problem as the server says it; `offline` where it is not reached, `bad_answer` for what is no answer of ours */
async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(path, { ...init, cache: 'no-store', credentials: 'omit' }).catch(() => {
    throw asProblem('offline');
  });
  const body = (await answer.json().catch(() => ({}))) as Refused & { data?: T };
  if (answer.ok && body.data !== undefined) return body.data;
  throw asProblem(body.error?.code ?? 'bad_answer', body.data);
}

const address = (key: string): string => `/api/v0/guest-access/${encodeURIComponent(key)}`;

/** @throws Problem `guest_invalid` without asking for what can be no key */
export const readPage = (key: string): Promise<GuestPage> =>
  isGuestKey(key) ? ask<GuestPage>(address(key)) : Promise.reject(asProblem('guest_invalid'));
export const openDoor = (key: string, device: string): Promise<GuestOpening> =>
  ask<GuestOpening>(`${address(key)}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ device }),
  });
/** Where the wallet pass of the key in the page's address is. */
export const passAddress = (): string => `${address(keyInAddress(location.pathname) ?? '')}/pkpass`;
