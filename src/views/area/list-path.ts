import type { AreaEntry } from './resource.ts';

/** Where the rows of an area are listed. */
export const listPath = ({ path, home }: Pick<AreaEntry, 'path' | 'home'>): string => home ?? path;
