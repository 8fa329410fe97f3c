import type { Group } from '#models/groups.ts';
import { AddChip } from '#src/components/chips.tsx';
import { useText } from '#src/components/text.ts';
import { useForest } from '#src/views/area/memory.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { PageLink } from '#src/views/shell/page-link.tsx';
import { usePages } from '#src/views/shell/page-reports.ts';
import { mayGenerate } from './may-manage.ts';

/** The groups directly inside, and the way to one more. */
export function Subgroups({ row }: PieceProps<Group>) {
  const { t } = useText();
  const { forest } = useForest();
  const pages = usePages();
  const profile = useProfile();
  if (!row) return null;
  // The row has them from the first frame; the tree, once it is there, follows what others change.
  const children = (forest?.byId.has(row.id) ? forest.below.get(row.id) : row.children) ?? [];
  return (
    <div className="chips">
      {children.map(({ id, name, type }) => (
        <PageLink key={id} className="chip chip-link" to={`/groups/${id}`}>
          <span className="chip-text">
            {type && !name.startsWith(type.name) && <b>{type.name} </b>}
            {name}
          </span>
        </PageLink>
      ))}
      {children.length === 0 && <span className="field-value-none">{t('areas.groups.no_subgroups')}</span>}
      {mayGenerate(profile) && <AddChip label={t('areas.groups.actions.add_below')} onClick={() => pages.open(`/groups/add?parent_id=${row.id}`)} />}
    </div>
  );
}
