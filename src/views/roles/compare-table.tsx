import { Link } from 'react-router-dom';
import type { Role } from '#models/roles.ts';
import { may } from '#models/permissions.ts';
import { useText } from '#src/components/text.ts';
import { useEntry } from '../area/areas.tsx';
import { copyPath, editorPath } from '../area/use-open.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePages } from '../shell/page-reports.ts';
import { comparedAreas, differs } from './compared.ts';

interface CompareTableProps {
  roles: readonly Role[];
  onlyDifferences: boolean;
  onRemove: (id: string) => void;
}

/** A role at the head of its column: the way to it, and what one can do with it. */
function Head({ role, removable, onRemove }: { role: Role; removable: boolean; onRemove: (id: string) => void }) {
  const { t } = useText();
  const profile = useProfile();
  const pages = usePages();
  const entry = useEntry('roles');
  const mayCopy = may(actorOf(profile), 'create', 'roles');
  if (!entry) return null;
  const copyName = { name: t('list.row.copy_name', { name: role.name }) };
  return (
    <th scope="col">
      <Link to={editorPath(entry, 'view', role.id)}>{role.name}</Link>
      <span className="cell-sub">{t('list.permissions.held', { count: role.permissions.length })}</span>
      <span className="cell-sub">{t('areas.users.count', { count: role.users_count })}</span>
      <span className="compare-ways">
        {mayCopy && (
          <button
            type="button"
            className="icon-button"
            title={t('areas.roles.compare.copy', { name: role.name })}
            aria-label={t('areas.roles.compare.copy', { name: role.name })}
            onClick={() => pages.open(copyPath(entry, role.id, copyName))}
          >
            <i className="pi pi-copy" aria-hidden="true" />
          </button>
        )}
        {removable && (
          <button
            type="button"
            className="icon-button"
            title={t('areas.roles.compare.remove', { name: role.name })}
            aria-label={t('areas.roles.compare.remove', { name: role.name })}
            onClick={() => onRemove(role.id)}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        )}
      </span>
    </th>
  );
}

/** Whether a role has it: a mark for the eye, a word for those who hear the table. */
function Mark({ held, unlike }: { held: boolean; unlike: boolean }) {
  const { t } = useText();
  return (
    <td data-held={held} data-unlike={unlike || undefined}>
      <i className={`pi ${held ? 'pi-check' : 'pi-minus'}`} aria-hidden="true" />
      <span className="unseen">{t(held ? 'areas.roles.compare.yes' : 'areas.roles.compare.no')}</span>
    </td>
  );
}

/** What holds for the role as a whole. */
function General({ roles, onlyDifferences }: Pick<CompareTableProps, 'roles' | 'onlyDifferences'>) {
  const { t } = useText();
  const factors = roles.map((role) => role.requires_second_factor);
  const given = roles.map((role) => role.available_roles.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other)));
  const givenDiffer = differs(given.map((names) => names.join('\n')));
  const factorsShown = !onlyDifferences || differs(factors);
  const givenShown = !onlyDifferences || givenDiffer;
  if (!factorsShown && !givenShown) return null;
  return (
    <tbody>
      <tr className="compare-area">
        <th scope="rowgroup" colSpan={roles.length + 1}>
          {t('areas.roles.sections.general')}
        </th>
      </tr>
      {factorsShown && (
        <tr>
          <th scope="row">{t('areas.roles.fields.requires_second_factor')}</th>
          {roles.map(({ id }, at) => (
            <Mark key={id} held={factors[at] ?? false} unlike={differs(factors)} />
          ))}
        </tr>
      )}
      {givenShown && (
        <tr>
          <th scope="row">{t('areas.roles.fields.available_roles')}</th>
          {roles.map(({ id }, at) => (
            <td key={id} className="compare-names" data-unlike={givenDiffer || undefined}>
              {given[at]?.join(', ') || '—'}
            </td>
          ))}
        </tr>
      )}
    </tbody>
  );
}

/** The permissions of roles side by side, grouped as the form groups them. */
export function CompareTable({ roles, onlyDifferences, onRemove }: CompareTableProps) {
  const { t } = useText();
  const areas = comparedAreas(roles, onlyDifferences);
  return (
    <div className="compare-scroll" tabIndex={0} role="region" aria-label={t('areas.roles.compare.title')}>
      <table className="compare" data-columns={roles.length}>
        <thead>
          <tr>
            <td className="compare-corner" />
            {roles.map((role) => (
              <Head key={role.id} role={role} removable={roles.length > 1} onRemove={onRemove} />
            ))}
          </tr>
        </thead>
        <General roles={roles} onlyDifferences={onlyDifferences} />
        {areas.map(({ area, counts, total, codes }) => (
          <tbody key={area}>
            <tr className="compare-area">
              <th scope="rowgroup">{t(`permissions.areas.${area}`)}</th>
              {roles.map(({ id }, at) => (
                <td key={id}>{t('list.permissions.count', { held: counts[at] ?? 0, total })}</td>
              ))}
            </tr>
            {codes.map(({ code, held }) => (
              <tr key={code}>
                <th scope="row">{t(`permissions.codes.${code}`)}</th>
                {roles.map(({ id }, at) => (
                  <Mark key={id} held={held[at] ?? false} unlike={differs(held)} />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
