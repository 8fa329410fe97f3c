import { Button } from '#src/components/button.tsx';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import type { Action, AnyResource, PieceProps } from './resource.ts';
import type { EditorView } from './use-editor.ts';

interface EditorActionsProps {
  resource: AnyResource;
  view: EditorView;
  piece: PieceProps;
}

/** The area's own actions on the stored row, behind one button. */
export function EditorActions({ resource, view, piece }: EditorActionsProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [started, setStarted] = useState<Action>();
  const { row, profile } = view.facts;
  if (!row) return null;
  const actions = resource.actions.filter(({ show }) => !show || show(row, profile));
  if (actions.length === 0) return null;
  const Started = started?.dialog;
  const pick = (action: Action) => {
    setAnchor(undefined);
    const to = action.to?.(row);
    if (to === undefined) setStarted(action);
    else void navigate(to);
  };
  return (
    <>
      <Button
        tone="plain"
        icon="pi-chevron-down"
        iconEnd
        label={t('list.editor.actions')}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(anchor ? undefined : event.currentTarget)}
      />
      {anchor && (
        <Popup anchor={anchor} role="menu" end label={t('list.editor.actions')} onClose={() => setAnchor(undefined)}>
          <ul className="menu-lines" role="none">
            {actions.map((action) => (
              <li key={action.key} role="none">
                <button type="button" role="menuitem" className="menu-line" onClick={() => pick(action)}>
                  <i className={`pi ${action.icon}`} aria-hidden="true" />
                  {t(`areas.${resource.area}.actions.${action.key}`)}
                </button>
              </li>
            ))}
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
