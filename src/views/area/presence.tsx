import { useText } from '#src/components/text.ts';
import type { EditorView } from './use-editor.ts';

/** Who else edits this row at the moment. */
export function Presence({ view }: { view: EditorView }) {
  const { t } = useText();
  const { others } = view.context;
  return (
    <span role="status" className="editor-others">
      {others.length > 0 && (
        <span className="tag tag-warn">
          <i className="pi pi-pencil" aria-hidden="true" />{' '}
          {t('list.editor.others', { count: others.length, names: others.map(({ name }) => name).join(', ') })}
        </span>
      )}
    </span>
  );
}
