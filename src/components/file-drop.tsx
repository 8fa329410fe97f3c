import { type DragEvent, type ReactNode, useEffect, useState } from 'react';
import './file-drop.css';

interface FileDropProps {
  text: string;
  /** While something is under way, what is dropped is not taken. */
  disabled: boolean;
  onFile: (file: File) => void;
  children?: ReactNode;
}

/** While a file may be dropped somewhere on the page, one that misses the place is not taken: the browser would leave the page and show it. */
function useNoFileElsewhere(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent): void => {
      // A place that takes it has said so.
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
}

/** A place to drop a file on. It is never the only way: a button that opens the system's own dialog stands in it or nearby. */
export function FileDrop({ text, disabled, onFile, children }: FileDropProps) {
  const [over, setOver] = useState(false);
  useNoFileElsewhere();
  const hold = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !disabled) onFile(file);
  };
  return (
    <div className={over ? 'drop drop-over' : 'drop'} onDragEnter={hold} onDragOver={hold} onDragLeave={() => setOver(false)} onDrop={drop}>
      <i className="pi pi-file-import" aria-hidden="true" />
      <span>{text}</span>
      {children}
    </div>
  );
}
