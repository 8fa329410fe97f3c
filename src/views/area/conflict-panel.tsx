import { Button } from '#src/components/button.tsx';
import { useId } from 'react';
import type { ConflictField } from '#machines/editor/draft.ts';
import type { EditorActor } from '#machines/editor/editor.machine.ts';
import { metaAt, schemaAt } from '#src/components/fields/field-meta.ts';
import { ReadValue } from '#src/components/fields/read-value.tsx';
import { useText } from '#src/components/text.ts';
import { LastChange } from './last-change.tsx';
import type { AnyResource } from './resource.ts';
import type { EditorView } from './use-editor.ts';

interface ConflictPanelProps {
  resource: AnyResource;
  editor: EditorActor;
  view: EditorView;
}

/** One value of a field in words. */
export function FieldValue({ resource, path, value }: { resource: AnyResource; path: string; value: unknown }) {
  const meta = schemaAt(resource.model, path) ? metaAt(resource.model, path) : { kind: 'text' };
  return <ReadValue area={resource.area} path={path} value={value} meta={meta} />;
}

function ConflictRow({ resource, editor, field }: Omit<ConflictPanelProps, 'view'> & { field: ConflictField }) {
  const { t } = useText();
  const name = useId();
  const label = t(`areas.${resource.area}.fields.${field.field}`);
  return (
    <tr>
      <th scope="row">{label}</th>
      {(['mine', 'theirs'] as const).map((side) => (
        <td key={side}>
          <label className="conflict-side" data-chosen={field.side === side}>
            <input
              type="radio"
              className="check"
              name={name}
              checked={field.side === side}
              aria-label={`${label}: ${t(`list.conflict.${side}`)}`}
              onChange={() => editor.send({ type: 'conflict.take', field: field.field, side })}
            />
            <span>
              <FieldValue resource={resource} path={field.field} value={field[side]} />
            </span>
          </label>
        </td>
      ))}
    </tr>
  );
}

/** Somebody saved first: each field on which the two differ, mine beside theirs, to choose from. */
export function ConflictPanel({ resource, editor, view }: ConflictPanelProps) {
  const { t } = useText();
  const fields = view.context.conflict?.fields ?? [];
  const row = view.context.conflict?.row;
  const decided = fields.every(({ side }) => side !== null);
  const clashes = fields.some(({ base, mine, theirs }) => ![mine, theirs].some((value) => JSON.stringify(value) === JSON.stringify(base)));
  return (
    <section className="conflict" aria-label={t('list.conflict.title')} role="alert">
      <h2>
        <i className="pi pi-users" aria-hidden="true" /> {t('list.conflict.title')}
      </h2>
      {row && (
        <p>
          <LastChange area={resource.area} id={row.id} version={row['version']} />
        </p>
      )}
      <p>{t(clashes ? 'list.conflict.text' : 'list.conflict.none')}</p>
      {fields.length > 0 && (
        <table className="conflict-table">
          <thead>
            <tr>
              <th scope="col">{t('list.conflict.field')}</th>
              <th scope="col">{t('list.conflict.mine')}</th>
              <th scope="col">{t('list.conflict.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <ConflictRow key={field.field} resource={resource} editor={editor} field={field} />
            ))}
          </tbody>
        </table>
      )}
      <div className="row">
        <Button disabled={!decided} label={t('list.conflict.resolve')} onClick={() => editor.send({ type: 'conflict.resolve' })} />
        <Button tone="quiet" label={t('list.conflict.take_theirs')} onClick={() => editor.send({ type: 'draft.discard' })} />
      </div>
    </section>
  );
}
