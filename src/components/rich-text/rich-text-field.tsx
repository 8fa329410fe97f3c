import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useEffect, useRef, useState } from 'react';
import type { TextPicture } from '#models/text-pictures.ts';
import { Button } from '../button.tsx';
import { useFileDialog } from '../file-dialog.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { rovingFocus } from '../roving-focus.ts';
import { TextInput } from '../text-input.tsx';
import { useText } from '../text.ts';
import { pictureTypes } from '../picture-file.ts';
import { Picture } from './picture-node.ts';
import { RichText } from './rich-text.tsx';
import './rich-text.css';

/** Pictures in the text: what is done with a file that was chosen, pasted or dropped; `put` has it in the text once it is stored. */
export interface PicturePort {
  add: (file: File, put: (picture: TextPicture) => void) => void;
  running: boolean;
  /** Why the last one was not taken. */
  problem: string | undefined;
}

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
  Picture,
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

const putInto =
  (editor: Editor) =>
  ({ url, width, height }: TextPicture): void =>
    void editor
      .chain()
      .focus()
      .insertContent({ type: 'picture', attrs: { src: url, alt: '', width: String(width), height: String(height) } })
      .run();

/** Chooses a picture for the text. */
function PictureButton({ editor, pictures }: { editor: Editor; pictures: PicturePort }) {
  const { t } = useText();
  const dialog = useFileDialog(pictureTypes, t('list.rich_text.choose_picture'), (file) => pictures.add(file, putInto(editor)));
  return (
    <>
      {dialog.field}
      <button
        type="button"
        className="icon-button"
        title={t('list.rich_text.picture')}
        aria-label={t('list.rich_text.picture')}
        aria-busy={pictures.running}
        disabled={pictures.running}
        onMouseDown={(event) => event.preventDefault()}
        onClick={dialog.open}
      >
        <i className={`pi ${pictures.running ? 'pi-spin pi-spinner' : 'pi-image'}`} aria-hidden="true" />
      </button>
    </>
  );
}

/** What the chosen picture shows, for those who cannot see it; and away with it. */
function PictureLine({ editor }: { editor: Editor }) {
  const { t } = useText();
  const alt = useEditorState({
    editor,
    selector: ({ editor: at }) => (at.isActive('picture') ? String(at.getAttributes('picture')['alt'] ?? '') : null),
  });
  if (alt === null) return null;
  return (
    <div className="rich-link">
      <TextInput
        aria-label={t('list.rich_text.describe_picture')}
        placeholder={t('list.rich_text.describe_picture')}
        maxLength={200}
        value={alt}
        onChange={({ target }) => editor.commands.updateAttributes('picture', { alt: target.value })}
      />
      <Button small tone="danger-quiet" label={t('list.rich_text.remove_picture')} onClick={() => editor.chain().focus().deleteSelection().run()} />
    </div>
  );
}

function Tools({ editor, pictures }: { editor: Editor; pictures: PicturePort | undefined }) {
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
        {pictures && <PictureButton editor={editor} pictures={pictures} />}
      </div>
      {linking && <LinkLine editor={editor} onClose={() => setLinking(false)} />}
      <PictureLine editor={editor} />
      {pictures?.problem && (
        <p className="rich-issue small" role="alert">
          {pictures.problem}
        </p>
      )}
    </>
  );
}

type RichTextProps = FieldProps & { pictures?: PicturePort };

/** A picture alone: text from elsewhere may bring one of itself along. */
const pictureIn = (data: DataTransfer | null): File | undefined =>
  data?.getData('text/plain') ? undefined : [...(data?.files ?? [])].find(({ type }) => pictureTypes.split(',').includes(type));

/** Text with simple formatting. The draft holds HTML; an editor without any words holds none. */
function RichTextEditor({ id, value, onChange, label, invalid, describedBy, required, pictures }: RichTextProps) {
  const html = typeof value === 'string' ? value : '';
  const take = useRef<(file: File) => void>(() => {});
  /** A picture that is pasted or dropped is uploaded; everything else goes its usual way. */
  const onPicture = (event: Event, data: DataTransfer | null): boolean => {
    const file = pictureIn(data);
    if (!file) return false;
    event.preventDefault();
    take.current(file);
    return true;
  };
  const editor = useEditor({
    extensions,
    content: html,
    injectCSS: false,
    immediatelyRender: true,
    editorProps: {
      handlePaste: (_view, event) => onPicture(event, event.clipboardData),
      // A picture that is moved within the text is no new one.
      handleDrop: (_view, event, _slice, moved) => !moved && onPicture(event, event.dataTransfer),
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
  useEffect(() => {
    take.current = (file) => pictures?.add(file, putInto(editor));
  }, [editor, pictures]);
  // The draft may change from elsewhere: discarded, or loaded anew.
  useEffect(() => {
    const held = editor.isEmpty ? '' : editor.getHTML();
    if (held !== html) editor.commands.setContent(html, { emitUpdate: false });
  }, [editor, html]);
  return (
    <div className="rich-edit" data-invalid={invalid}>
      <Tools editor={editor} pictures={pictures} />
      <EditorContent editor={editor} />
    </div>
  );
}

/** Formatted text, written or read. */
export default function RichTextField(props: RichTextProps) {
  if (props.readOnly) return <RichText html={typeof props.value === 'string' ? props.value : ''} />;
  return <RichTextEditor {...props} />;
}
