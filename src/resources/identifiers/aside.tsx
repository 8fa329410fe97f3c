import type { Identifier } from '#models/identifiers.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';
import { StateMark } from './cells.tsx';

type Standing = Pick<Identifier, 'state' | 'lost_at' | 'revoked_at' | 'last_used_at' | 'passes_count'>;

/** Whether it opens, since when it does not, and how it was used. */
export function IdentifierAside({ row }: PieceProps<Standing>) {
  const { t } = useText();
  if (!row) return null;
  const moments = (['revoked_at', 'lost_at', 'last_used_at'] as const).flatMap((field) => (row[field] ? [[field, row[field]] as const] : []));
  return (
    <dl className="facts">
      <div className="fact">
        <dt>{t('areas.identifiers.fields.state')}</dt>
        <dd>
          <StateMark state={row.state} />
        </dd>
      </div>
      {moments.map(([field, at]) => (
        <div key={field} className="fact">
          <dt>{t(`areas.identifiers.fields.${field}`)}</dt>
          <dd>
            <When at={at} />
          </dd>
        </div>
      ))}
      <div className="fact">
        <dt>{t('areas.identifiers.fields.passes_count')}</dt>
        <dd>{row.passes_count}</dd>
      </div>
    </dl>
  );
}
