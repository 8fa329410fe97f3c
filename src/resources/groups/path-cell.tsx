import type { Group } from '#models/groups.ts';
import type { CellProps } from '#src/views/area/resource.ts';

/** The group, and below it the houses it stands in. */
export function PathCell({ row }: CellProps<string, Group>) {
  const above = row.path.slice(0, -1).join(' · ');
  return (
    <>
      {row.name}
      {above && <span className="cell-sub">{above}</span>}
    </>
  );
}
