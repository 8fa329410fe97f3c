/** Whether this browser has passkeys at this address: it has them only where pages are safe, and only for names, never for an address of digits. */
export const mayHavePasskeys = (): boolean => 'credentials' in navigator && /[a-z]$/.test(location.hostname);
