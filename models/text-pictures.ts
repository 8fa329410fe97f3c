import { z } from 'zod';
import { portrait } from './define-model.ts';

/** A picture that was uploaded for a text: its address is signed by the server, its size reserves its place before it has come, px. */
export const textPicture = z.strictObject({ id: z.uuid(), url: portrait, width: z.int(), height: z.int() });
export type TextPicture = z.infer<typeof textPicture>;

/** A message has so many pictures at most, a formatted text so many. */
export const mostMessagePictures = 6;
export const mostBodyPictures = 20;
