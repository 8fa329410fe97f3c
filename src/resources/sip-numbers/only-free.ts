import type { FilterItem } from '#models/query.ts';

/** A number is given to one at a time: only those nobody has are offered. */
export const onlyFree: readonly FilterItem[] = [{ field: 'onlyFree', rule: 'is', value: true }];
