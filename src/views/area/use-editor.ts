import { useSelector } from '@xstate/react';
import type { EditorActor, EditorContext } from '#machines/editor/editor.machine.ts';
import { useProfile } from '#src/views/profile-of.ts';
import type { AnyRow, Facts } from './resource.ts';

/** How an editor stands, in the words its views need. */
type EditorStage = 'loading' | 'failed' | 'open' | 'done';

export interface EditorView {
  context: EditorContext;
  facts: Facts;
  stage: EditorStage;
  editing: boolean;
  unsaved: boolean;
  refused: boolean;
  saving: boolean;
  unsure: boolean;
  conflicted: boolean;
  deleting: boolean;
  /** Nothing can be typed or deleted: a save or a deletion is under way, or has to be settled first. */
  held: boolean;
}

/** Follows one editor. */
export function useEditor(editor: EditorActor): EditorView {
  const snapshot = useSelector(editor, (present) => present);
  const profile = useProfile();
  const { context } = snapshot;
  const { mode, draft, row } = context;
  const stage = snapshot.hasTag('failed') ? 'failed' : snapshot.hasTag('loading') ? 'loading' : snapshot.hasTag('done') ? 'done' : 'open';
  return {
    context,
    facts: { profile, mode, draft: draft as Facts['draft'], row: row as AnyRow | null },
    stage,
    editing: mode !== 'view',
    unsaved: snapshot.hasTag('unsaved'),
    refused: snapshot.hasTag('refused'),
    saving: snapshot.hasTag('saving'),
    unsure: snapshot.hasTag('unsure'),
    conflicted: snapshot.hasTag('conflicted'),
    deleting: snapshot.hasTag('deleting'),
    held: (['saving', 'deleting', 'unsure', 'conflicted'] as const).some((tag) => snapshot.hasTag(tag)),
  };
}
