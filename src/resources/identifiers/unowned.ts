import type { FilterItem } from '#models/query.ts';

/** A ukey2 is issued to a telephone and chosen nowhere (clause PICKER-19). */
export const notUkey2: readonly FilterItem[] = [{ field: 'type', rule: 'not_equals', value: 'ukey2' }];
/** An identifier belongs to one person: only those nobody has are offered. */
export const unowned: readonly FilterItem[] = [{ field: 'owner', rule: 'is', value: null }, ...notUkey2];
