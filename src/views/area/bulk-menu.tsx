import { Suspense, useState } from 'react';
import type { ListActor } from '#machines/list/list.machine.ts';
import type { BulkAction } from '#models/bulk.ts';
import type { BulkRows } from '#models/forms/bulk.ts';
import { lazyPart } from '#src/components/lazy-part.ts';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import { bulkIcons } from './bulk-actions.ts';
import type { AnyResource } from './resource.ts';

/** The question before many rows are changed, whose code comes when it is first asked. */
export const BulkDialog = lazyPart(() => import('./bulk-dialog.tsx'));

interface BulkMenuProps {
  resource: AnyResource;
  list: ListActor;
  actions: readonly BulkAction[];
  rows: BulkRows;
}

/** What can be done to the rows selected, behind one button; deleting them has one of its own. */
export function BulkMenu({ resource, list, actions, rows }: BulkMenuProps) {
  const { t } = useText();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [started, setStarted] = useState<BulkAction>();
  const offered = actions.filter((action) => action !== 'delete');
  if (offered.length === 0) return null;
  return (
    <>
      <button
        type="button"
        className="link-button"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(anchor ? undefined : currentTarget)}
      >
        {t('list.bulk.actions')} <i className="pi pi-chevron-down bulk-mark" aria-hidden="true" />
      </button>
      {anchor && (
        <Popup anchor={anchor} role="menu" label={t('list.bulk.actions')} onClose={() => setAnchor(undefined)}>
          <ul className="menu-lines" role="none">
            {offered.map((action) => (
              <li key={action} role="none">
                <button
                  type="button"
                  role="menuitem"
                  className="menu-line"
                  onClick={() => {
                    setAnchor(undefined);
                    setStarted(action);
                  }}
                >
                  <i className={`pi ${bulkIcons[action]}`} aria-hidden="true" />
                  {t(`list.bulk.menu.${action}`)}
                </button>
              </li>
            ))}
          </ul>
        </Popup>
      )}
      {started && (
        <Suspense>
          <BulkDialog resource={resource} action={started} rows={rows} list={list} close={() => setStarted(undefined)} />
        </Suspense>
      )}
    </>
  );
}
