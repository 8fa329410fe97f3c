import type { ListQuery } from '#models/query.ts';
import type { Integration } from '#models/integrations.ts';
import { AddChip } from '#src/components/chips.tsx';
import { groupText } from '#src/components/group-text.ts';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useLiveRows } from '../area/use-live-rows.ts';
import { PageLink } from '../shell/page-link.tsx';
import { usePages } from '../shell/page-reports.ts';
import { StateTag } from './state-tag.tsx';
import './integrations.css';

const icons: Record<Integration['type'], string> = { webhook: 'pi-send', camera: 'pi-video' };

/** Integrations one below the other, each the way to its page, and the way to one more. */
export function IntegrationLines({ query, add, whose = false }: { query: ListQuery; add: string | null; whose?: boolean }) {
  const { t } = useText();
  const pages = usePages();
  const { rows, loading, problem, reload } = useLiveRows<Integration>('integrations', query);
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (loading && rows.length === 0) return <SkeletonLines lines={2} label={t('list.loading')} />;
  return (
    <>
      {rows.length === 0 && <p className="quiet">{t(whose ? 'areas.integrations.empty' : 'areas.integrations.none')}</p>}
      <ul className="integration-lines">
        {rows.map(({ id, name, type, state, domain_id: group, waiting_count: waiting }) => (
          <li key={id} className="integration-line">
            <i className={`pi ${icons[type]}`} aria-hidden="true" />
            <span className="grow">
              <PageLink to={`/integration/${id}/edit`}>{name}</PageLink>
              <span className="cell-sub">
                {t(`areas.integrations.options.type.${type}`)}
                {whose && ` · ${group ? groupText(group) : t('areas.integrations.project')}`}
              </span>
            </span>
            {waiting > 0 && (
              <span className="quiet small">
                {t('areas.integrations.fields.waiting_count')}: {waiting}
              </span>
            )}
            <StateTag state={state} />
          </li>
        ))}
      </ul>
      {add !== null && <AddChip label={t('areas.integrations.add')} onClick={() => pages.open(add)} />}
    </>
  );
}
