import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Role } from '#models/roles.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { maySee } from '../area/areas.tsx';
import { NoAccess } from '../area/no-access.tsx';
import { useLiveRows } from '../area/use-live-rows.ts';
import { firstRows } from '../home/use-rows.ts';
import { useProfile } from '../profile-of.ts';
import { useChangeParams } from '../shell/address-params.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { maxPageSize } from '#models/query.ts';
import { CompareTable } from './compare-table.tsx';
import { comparedAreas, differs } from './compared.ts';
import '#src/components/controls.css';
import './compare.css';

/** More columns than this nobody reads side by side. */
const MOST = 4;
const everyRole = firstRows(maxPageSize, [], ['name']);

/** Which roles the address compares, and whether what they have in common is shown too. */
function useCompared() {
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const asked = params.get('roles') ?? '';
  const ids = useMemo(() => [...new Set(asked.split(',').filter(Boolean))].slice(0, MOST), [asked]);
  const change = (key: 'roles' | 'show', value: string): void =>
    changeParams(
      (present) => {
        if (value) present.set(key, value);
        else present.delete(key);
        return present;
      },
      { replace: true },
    );
  return {
    ids,
    onlyDifferences: params.get('show') !== 'all',
    choose: (next: readonly string[]) => change('roles', next.join(',')),
    showAll: (all: boolean) => change('show', all ? 'all' : ''),
  };
}

/** How many permissions not all of the roles share, in words. */
function Summary({ roles }: { roles: readonly Role[] }) {
  const { t } = useText();
  const count = comparedAreas(roles, true).reduce((sum, { codes }) => sum + codes.length, 0);
  const others = differs(roles.map((role) => role.requires_second_factor));
  return (
    <p className="compare-summary" role="status">
      {count === 0 && !others ? t('areas.roles.compare.same') : t('areas.roles.compare.differences', { count })}
    </p>
  );
}

/** Roles side by side: what each may do, and where they differ. The address keeps which. */
export function ComparePage() {
  const { t } = useText();
  const profile = useProfile();
  const { ids, onlyDifferences, choose, showAll } = useCompared();
  const { rows, loading, problem, reload } = useLiveRows<Role>('roles', everyRole);
  usePageTitle(t('areas.roles.compare.title'));
  if (!maySee(profile, 'roles')) return <NoAccess />;
  const roles = ids.flatMap((id) => rows.find((role) => role.id === id) ?? []);
  const others = rows.filter(({ id }) => !ids.includes(id));
  const isThere = rows.length > 0 || (!loading && !problem);
  const gone = isThere ? ids.length - roles.length : 0;
  return (
    <div className="area-list compare-page">
      <div className="list-tools">
        <div className="list-asks">
          {others.length > 0 && roles.length < MOST && (
            <select
              className="native-select compare-add"
              aria-label={t('areas.roles.compare.add')}
              value=""
              onChange={({ target }) => choose([...roles.map(({ id }) => id), target.value])}
            >
              <option value="" disabled>
                {t('areas.roles.compare.add')}
              </option>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          {roles.length > 1 && (
            <label className="field-flag">
              <input type="checkbox" className="check" checked={onlyDifferences} onChange={({ target }) => showAll(!target.checked)} />
              <span>{t('areas.roles.compare.only_differences')}</span>
            </label>
          )}
        </div>
        {roles.length > 1 && <Summary roles={roles} />}
      </div>
      {gone > 0 && (
        <p className="notice notice-warn" role="status">
          <i className="pi pi-exclamation-triangle" aria-hidden="true" />
          <span>{t('areas.roles.compare.gone', { count: gone })}</span>
        </p>
      )}
      <section className="card area-card compare-card">
        {problem && !isThere && <Failure problem={problem} onRetry={reload} />}
        {loading && !isThere && <SkeletonLines lines={12} label={t('list.loading')} />}
        {isThere && roles.length === 0 && (
          <EmptyState icon="pi-id-card" text={t('areas.roles.compare.none')}>
            <Link to="/roles">{t('areas.roles.title')}</Link>
          </EmptyState>
        )}
        {roles.length > 0 && (
          <CompareTable
            roles={roles}
            // One role alone has nothing to differ from.
            onlyDifferences={onlyDifferences && roles.length > 1}
            onRemove={(id) => choose(roles.map((role) => role.id).filter((one) => one !== id))}
          />
        )}
      </section>
    </div>
  );
}
