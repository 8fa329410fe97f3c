/** What one registers a number with (clause SIP-02). */
export interface SipAccount {
  name: string;
  password: string;
}
/** The SIP password of the signed-in person: put here by the http adapter, read by the user agent alone. It lives as long as the page. */
export interface SipSecret {
  /** Answers the same body without the password its profile carried; what carried none is answered as it is. */
  takeOut: (body: unknown) => unknown;
  /** @returns null for a number of which nothing was told */
  of: (number: string) => SipAccount | null;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const within = (value: unknown, key: string): unknown => (isFields(value) ? value[key] : undefined);

/** Opens the place where the SIP password is kept out of every event, context and inspector. */
export function openSipSecret(): SipSecret {
  const stored = new Map<string, SipAccount>();
  return {
    takeOut(body) {
      const data = within(body, 'data');
      const profile = within(data, 'profile');
      const account = within(profile, 'sip_number');
      if (!isFields(body) || !isFields(data) || !isFields(profile) || !isFields(account)) return body;
      const { password, ...shown } = account;
      if (typeof password !== 'string' || typeof shown['number'] !== 'string') return body;
      stored.set(shown['number'], { name: typeof shown['name'] === 'string' ? shown['name'] : shown['number'], password });
      return { ...body, data: { ...data, profile: { ...profile, sip_number: shown } } };
    },
    of: (number) => stored.get(number) ?? null,
  };
}
