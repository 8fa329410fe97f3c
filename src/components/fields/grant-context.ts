import { createContext } from 'react';

/** Whether the signed-in person may put a permission into a role; a role never gives more than its author has. */
export const GrantContext = createContext<(code: string) => boolean>(() => false);
