/** What a form shows in the place of a password that is stored and not told; saved unchanged it is sent as null. */
export const storedPassword = '••••••••';
/** The password as it is sent. */
export const unlessStored = (value: unknown): unknown => (value === storedPassword ? null : value);
