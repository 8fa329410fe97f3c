import { z } from 'zod';

/** A mail the demo wrote to somebody. */
export const mail = z.strictObject({ id: z.uuid(), recipient: z.string(), subject: z.string(), body: z.string(), created_at: z.iso.datetime() });
export type Mail = z.infer<typeof mail>;
