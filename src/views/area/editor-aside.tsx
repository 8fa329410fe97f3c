import { Link } from 'react-router-dom';
import type { ReactNode } from 'react';
import { asText } from '#src/components/as-text.ts';
import { leavesOf, valueAt } from '#src/components/fields/field-meta.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { FieldValue } from './conflict-panel.tsx';
import { useRowNames } from './memory.tsx';
import type { AnyResource, PieceProps } from './resource.ts';
import type { EditorView } from './use-editor.ts';
import { useHistoryPath } from './use-history-path.ts';
import { PlainCell } from './cell.tsx';

interface EditorAsideProps {
  resource: AnyResource;
  view: EditorView;
  piece: PieceProps;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What saving would change, field by field. */
function Consequences({ resource, view }: Pick<EditorAsideProps, 'resource' | 'view'>) {
  const { t } = useText();
  const { draft, base } = view.context;
  const changed = Object.keys(resource.model.changes({ ...draft }, { ...base }));
  const paths = changed
    .flatMap((field) => leavesOf(resource.model, field))
    .filter((path) => JSON.stringify(valueAt(draft, path)) !== JSON.stringify(valueAt(base, path)));
  return (
    <section className="aside-part" aria-live="polite">
      <h2>{t('list.editor.consequences')}</h2>
      <p className="quiet">{paths.length === 0 ? t('list.editor.changes_none') : t('list.editor.changes', { count: paths.length })}</p>
      <ul className="change-list">
        {paths.map((path) => (
          <li key={path}>
            <span className="quiet small">{t(`areas.${resource.area}.fields.${path}`)}</span>
            <span className="change-values">
              <s>
                <FieldValue resource={resource} path={path} value={valueAt(base, path)} />
              </s>
              <i className="pi pi-arrow-right" aria-hidden="true" />
              <FieldValue resource={resource} path={path} value={valueAt(draft, path)} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who made it: the row says it by name, as its area spells it, or by an id that is looked up. */
const makerOf = (row: Record<string, unknown>): unknown => row['created_by_user'] ?? row['createdByUser'] ?? row['created_by'];

function Maker({ row }: { row: Record<string, unknown> }) {
  const { nameOf } = useRowNames();
  const maker = makerOf(row);
  if (typeof maker === 'string') return nameOf('users', maker) ?? '…';
  return maker !== null && typeof maker === 'object' && 'name' in maker ? String(maker.name) : null;
}

/** Beside the form: what saving changes, and what is known of the stored row. */
export function EditorAside({ resource, view, piece }: EditorAsideProps) {
  const { t } = useText();
  const { row, mode } = view.facts;
  const history = useHistoryPath(resource.area, row?.id ?? null);
  const Own = resource.slots.aside;
  // A log speaks for itself: its rows are made once and never change.
  if (!row || resource.model.readOnly) return null;
  const maker = makerOf(row);
  return (
    <aside className="card area-aside">
      {mode === 'edit' && <Consequences resource={resource} view={view} />}
      <section className="aside-part">
        <h2>{t('list.editor.facts')}</h2>
        {Own && <Own {...piece} />}
        <dl className="facts">
          {resource.facts.map((field) => (
            <Fact key={field} label={t(`areas.${resource.area}.fields.${field}`)}>
              <PlainCell area={resource.area} field={field} value={row[field]} isWord={false} />
            </Fact>
          ))}
          <Fact label={t('list.editor.changed')}>
            <When at={asText(row['updated_at'])} />
          </Fact>
          <Fact label={t('list.editor.created')}>
            <When at={asText(row['created_at'])} />
          </Fact>
          {Boolean(maker) && (
            <Fact label={t('list.editor.created_by')}>
              <Maker row={row} />
            </Fact>
          )}
          <Fact label={t('list.editor.version')}>{row.version}</Fact>
        </dl>
        {history && (
          <Link to={history} className="aside-link">
            {t('list.editor.history')}
          </Link>
        )}
      </section>
    </aside>
  );
}
