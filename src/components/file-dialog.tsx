import { type ReactNode, useRef } from 'react';

interface FileDialog {
  /** The hidden field that the browser needs: it stands beside the button, or anywhere on the page. */
  field: ReactNode;
  open: () => void;
}

/**
 * A file by the system's own dialog.
 * @param types what is offered: content types or endings, separated by commas
 * @param label what is chosen, for those who do not see the button
 */
export function useFileDialog(types: string, label: string, onFile: (file: File) => void): FileDialog {
  const input = useRef<HTMLInputElement>(null);
  return {
    field: (
      <input
        ref={input}
        type="file"
        accept={types}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file may be chosen again, once it is mended.
          target.value = '';
          if (file) onFile(file);
        }}
      />
    ),
    open: () => input.current?.click(),
  };
}
