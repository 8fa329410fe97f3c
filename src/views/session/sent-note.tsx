import { useEffect, useRef } from 'react';

/** Says what to do next, and is read out as soon as it stands. */
export function SentNote({ text, icon = 'pi-envelope' }: { text: string; icon?: string }) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <div className="session-note" role="status" tabIndex={-1} ref={note}>
      <i className={`pi ${icon}`} aria-hidden="true" />
      <div>{text}</div>
    </div>
  );
}
