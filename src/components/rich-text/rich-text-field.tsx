import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useEffect, useState } from 'react';
import { Button } from '../button.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { rovingFocus } from '../roving-focus.ts';
import { TextInput } from '../text-input.tsx';
import { useText } from '../text.ts';
import { RichText } from './rich-text.tsx';
import './rich-text.css';

/** What the server keeps, and nothing besides. Styles come with the console: the page may add none. */
const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    code: false,
    codeBlock: false,
    horizontalRule: false,
    trailingNode: false,
    link: { openOnClick: false, autolink: true, defaultProtocol: 'https', protocols: ['http', 'https', 'mailto', 'tel'] },
  }),
];

interface Tool {
  key: string;
  /** An icon, or the letter that people know it by. */
  face: string;
  isOn: (editor: Editor) => boolean;
  press: (editor: Editor) => void;
}
const tools: readonly Tool[] = [
  { key: 'bold', face: 'B', isOn: (at) => at.isActive('bold'), press: (at) => void at.chain().focus().toggleBold().run() },
  { key: 'italic', face: 'I', isOn: (at) => at.isActive('italic'), press: (at) => void at.chain().focus().toggleItalic().run() },
  { key: 'underline', face: 'U', isOn: (at) => at.isActive('underline'), press: (at) => void at.chain().focus().toggleUnderline().run() },
  {
    key: 'heading',
    face: 'H',
    isOn: (at) => at.isActive('heading', { level: 2 }),
    press: (at) => void at.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  { key: 'bullets', face: 'pi-list', isOn: (at) => at.isActive('bulletList'), press: (at) => void at.chain().focus().toggleBulletList().run() },
  {
    key: 'numbers',
    face: 'pi-sort-numeric-down',
    isOn: (at) => at.isActive('orderedList'),
    press: (at) => void at.chain().focus().toggleOrderedList().run(),
  },
  { key: 'quote', face: 'pi-comment', isOn: (at) => at.isActive('blockquote'), press: (at) => void at.chain().focus().toggleBlockquote().run() },
];

/** The address that the chosen words lead to. */
function LinkLine({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useText();
  const [address, setAddress] = useState(String(editor.getAttributes('link')['href'] ?? ''));
  const put = (): void => {
    const typed = address.trim();
    const marked = editor.chain().focus().extendMarkRange('link');
    if (typed === '') marked.unsetLink().run();
    else marked.setLink({ href: /^[a-z]+:/i.test(typed) ? typed : `https://${typed}` }).run();
    onClose();
  };
  return (
    <div className="rich-link">
      <TextInput
        aria-label={t('list.rich_text.address')}
        placeholder="https://"
        value={address}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- somebody has just asked for this line
        autoFocus
        onChange={({ target }) => setAddress(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key !== 'Enter') return;
          event.preventDefault();
          put();
        }}
      />
      <Button small label={t('list.rich_text.set_link')} onClick={put} />
    </div>
  );
}

function Tools({ editor }: { editor: Editor }) {
  const { t } = useText();
  const [linking, setLinking] = useState(false);
  const on = useEditorState({
    editor,
    selector: ({ editor: at }) => [...tools.filter(({ isOn }) => isOn(at)).map(({ key }) => key), ...(at.isActive('link') ? ['link'] : [])].join(),
  }).split(',');
  return (
    <>
      <div className="rich-tools" role="toolbar" aria-label={t('list.rich_text.toolbar')} onKeyDown={rovingFocus}>
        {tools.map(({ key, face, press }) => (
          <button
            key={key}
            type="button"
            className="icon-button"
            title={t(`list.rich_text.${key}`)}
            aria-label={t(`list.rich_text.${key}`)}
            aria-pressed={on.includes(key)}
            // The selection stays where it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => press(editor)}
          >
            {face.startsWith('pi-') ? <i className={`pi ${face}`} aria-hidden="true" /> : <span aria-hidden="true">{face}</span>}
          </button>
        ))}
        <button
          type="button"
          className="icon-button"
          title={t('list.rich_text.link')}
          aria-label={t('list.rich_text.link')}
          aria-pressed={on.includes('link')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setLinking(!linking)}
        >
          <i className="pi pi-link" aria-hidden="true" />
        </button>
      </div>
      {linking && <LinkLine editor={editor} onClose={() => setLinking(false)} />}
    </>
  );
}

/** Text with simple formatting. The draft holds HTML; an editor without any words holds none. */
function RichTextEditor({ id, value, onChange, label, invalid, describedBy, required }: FieldProps) {
  const html = typeof value === 'string' ? value : '';
  const editor = useEditor({
    extensions,
    content: html,
    injectCSS: false,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        id,
        class: 'tiptap rich-text',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-required': String(required),
        dir: 'auto',
        ...(describedBy && { 'aria-describedby': describedBy }),
      },
    },
    onUpdate: ({ editor: at }) => onChange(at.isEmpty ? '' : at.getHTML()),
  });
  // The draft may change from elsewhere: discarded, or loaded anew.
  useEffect(() => {
    const held = editor.isEmpty ? '' : editor.getHTML();
    if (held !== html) editor.commands.setContent(html, { emitUpdate: false });
  }, [editor, html]);
  return (
    <div className="rich-edit" data-invalid={invalid}>
      <Tools editor={editor} />
      <EditorContent editor={editor} />
    </div>
  );
}

/** Formatted text, written or read. */
export default function RichTextField(props: FieldProps) {
  if (props.readOnly) return <RichText html={typeof props.value === 'string' ? props.value : ''} />;
  return <RichTextEditor {...props} />;
}
