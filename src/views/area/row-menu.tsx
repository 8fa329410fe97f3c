import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ListActor } from '#machines/list/list.machine.ts';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { usePages } from '../shell/page-reports.ts';
import { mayDeleteRow, mayDo } from './areas.tsx';
import type { Action, AnyResource, AnyRow, AreaEntry } from './resource.ts';
import { useCopyName } from './use-copy-name.ts';
import { useHistoryPath } from './use-history-path.ts';
import { copyPath, useOpen } from './use-open.ts';

interface RowMenuProps {
  entry: AreaEntry;
  resource: AnyResource;
  list: Pick<ListActor, 'send'>;
  row: AnyRow;
  anchor: HTMLElement;
  onClose: () => void;
}

interface LineProps {
  icon: string;
  label: string;
  danger?: boolean;
  onPick: () => void;
}
function Line({ icon, label, danger, onPick }: LineProps) {
  return (
    <li role="none">
      <button type="button" role="menuitem" className="menu-line" data-tone={danger ? 'bad' : undefined} onClick={onPick}>
        <i className={`pi ${icon}`} aria-hidden="true" />
        {label}
      </button>
    </li>
  );
}

/** What one can do with one row: see, edit, the area's own actions, its history, delete. */
export function RowMenu({ entry, resource, list, row, anchor, onClose }: RowMenuProps) {
  const { t } = useText();
  const profile = useProfile();
  const open = useOpen(entry);
  const navigate = useNavigate();
  const pages = usePages();
  const history = useHistoryPath(resource.area, row.id);
  const copyName = useCopyName(resource);
  const [started, setStarted] = useState<Action>();
  const Started = started?.dialog;
  if (Started) {
    return (
      <Suspense>
        <Started row={row} close={onClose} reload={() => list.send({ type: 'rows.reload' })} />
      </Suspense>
    );
  }
  const { readOnly } = resource.model;
  const actions = resource.actions.filter(({ show }) => !show || show(row, profile));
  const mayEdit = !readOnly && mayDo(profile, resource, 'edit', row);
  const mayDelete = mayDeleteRow(profile, resource, row);
  const pick = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Popup anchor={anchor} role="menu" end label={t('list.row.menu')} onClose={onClose}>
      <ul className="menu-lines" role="none">
        <Line icon="pi-eye" label={t('list.row.view')} onPick={pick(() => open('view', row.id))} />
        {mayEdit && <Line icon="pi-pencil" label={t('list.row.edit')} onPick={pick(() => open('edit', row.id))} />}
        {actions.map((action) => (
          <Line
            key={action.key}
            icon={action.icon}
            label={t(`areas.${resource.area}.actions.${action.key}`)}
            onPick={() => {
              const to = action.to?.(row);
              if (to === undefined) setStarted(action);
              else pick(() => pages.open(to))();
            }}
          />
        ))}
        {resource.copies && mayDo(profile, resource, 'create') && (
          <Line icon="pi-copy" label={t('list.row.duplicate')} onPick={pick(() => pages.open(copyPath(entry, row.id, copyName(row))))} />
        )}
        {history && <Line icon="pi-history" label={t('list.row.history')} onPick={pick(() => void navigate(history))} />}
        {mayDelete && (
          <>
            <li className="menu-gap" role="separator" />
            <Line danger icon="pi-trash" label={t('list.row.delete')} onPick={pick(() => list.send({ type: 'rows.delete', ids: [row.id] }))} />
          </>
        )}
      </ul>
    </Popup>
  );
}
