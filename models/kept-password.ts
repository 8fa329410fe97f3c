/** What a form shows in the place of a password that is stored and not told; saved unchanged it is sent as null. */
export const keptPassword = '••••••••';
/** The password as it is sent. */
export const unkept = (value: unknown): unknown => (value === keptPassword ? null : value);
