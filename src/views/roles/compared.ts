import { type PermissionArea, permissionCatalogue } from '#models/permission-catalogue.ts';
import type { Role } from '#models/roles.ts';

/** One permission, and which of the roles hold it, in their order. */
export interface ComparedCode {
  code: string;
  held: readonly boolean[];
}
/** The permissions of one area side by side. */
export interface ComparedArea {
  area: PermissionArea;
  /** How many each role holds, of how many there are. */
  counts: readonly number[];
  total: number;
  codes: readonly ComparedCode[];
}

/** Whether not all of them say the same. */
export const differs = <T>(values: readonly T[]): boolean => new Set(values).size > 1;

/** The catalogue as roles hold it; with `onlyDifferences`, only the permissions that not all of them have or lack. */
export function comparedAreas(roles: readonly Pick<Role, 'permissions'>[], onlyDifferences: boolean): ComparedArea[] {
  const sets = roles.map(({ permissions }) => new Set(permissions));
  return (Object.entries(permissionCatalogue) as [PermissionArea, readonly string[]][]).flatMap(([area, all]) => {
    const codes = all.map((code) => ({ code, held: sets.map((set) => set.has(code)) })).filter(({ held }) => !onlyDifferences || differs(held));
    if (codes.length === 0) return [];
    return [{ area, counts: sets.map((set) => all.filter((code) => set.has(code)).length), total: all.length, codes }];
  });
}
