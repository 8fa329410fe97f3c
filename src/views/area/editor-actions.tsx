import { Button } from '#src/components/button.tsx';
import { Suspense, useState } from 'react';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import { usePages } from '../shell/page-reports.ts';
import { mayDo, useEntry } from './areas.tsx';
import { useCopyName } from './use-copy-name.ts';
import { copyPath } from './use-open.ts';
import type { Action, AnyResource, PieceProps } from './resource.ts';
import type { EditorView } from './use-editor.ts';

interface EditorActionsProps {
  resource: AnyResource;
  view: EditorView;
  piece: PieceProps;
  /** At the start of a dialog's foot instead of at the end of a page's bar. */
  atStart?: boolean;
  /** In a dialog deleting stands here too, last and apart; a page has a button of its own for it. */
  onDelete?: (() => void) | undefined;
}

/** The area's own actions on the stored row, behind one button. */
export function EditorActions({ resource, view, piece, atStart = false, onDelete }: EditorActionsProps) {
  const { t } = useText();
  const pages = usePages();
  const entry = useEntry(resource.area);
  const copyName = useCopyName(resource);
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [started, setStarted] = useState<Action>();
  const { row, profile } = view.facts;
  if (!row) return null;
  const actions = resource.actions.filter(({ show }) => !show || show(row, profile));
  const copies = entry !== undefined && resource.copies && mayDo(profile, resource, 'create');
  if (actions.length === 0 && !copies && !onDelete) return null;
  const Started = started?.dialog;
  const pick = (action: Action) => {
    setAnchor(undefined);
    const to = action.to?.(row);
    if (to === undefined) setStarted(action);
    else pages.open(to);
  };
  return (
    <>
      <Button
        tone="plain"
        icon="pi-chevron-down"
        iconEnd
        label={t('list.editor.actions')}
        loading={onDelete !== undefined && view.deleting}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(anchor ? undefined : event.currentTarget)}
      />
      {anchor && (
        <Popup anchor={anchor} role="menu" end={!atStart} label={t('list.editor.actions')} onClose={() => setAnchor(undefined)}>
          <ul className="menu-lines" role="none">
            {actions.map((action) => (
              <li key={action.key} role="none">
                <button type="button" role="menuitem" className="menu-line" onClick={() => pick(action)}>
                  <i className={`pi ${action.icon}`} aria-hidden="true" />
                  {t(`areas.${resource.area}.actions.${action.key}`)}
                </button>
              </li>
            ))}
            {copies && (
              <li role="none">
                <button type="button" role="menuitem" className="menu-line" onClick={() => pages.open(copyPath(entry, row.id, copyName(row)))}>
                  <i className="pi pi-copy" aria-hidden="true" />
                  {t('list.row.duplicate')}
                </button>
              </li>
            )}
            {onDelete && (actions.length > 0 || copies) && <li className="menu-gap" role="separator" />}
            {onDelete && (
              <li role="none">
                <button
                  type="button"
                  role="menuitem"
                  className="menu-line"
                  data-tone="bad"
                  disabled={view.held}
                  onClick={() => {
                    setAnchor(undefined);
                    onDelete();
                  }}
                >
                  <i className="pi pi-trash" aria-hidden="true" />
                  {t('list.editor.delete')}
                </button>
              </li>
            )}
          </ul>
        </Popup>
      )}
      {Started && (
        <Suspense>
          <Started row={row} close={() => setStarted(undefined)} reload={piece.reload} />
        </Suspense>
      )}
    </>
  );
}
