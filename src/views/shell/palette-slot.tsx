import { Suspense, useCallback, useEffect, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useText } from '#src/components/text.ts';

const Palette = lazyPart(() => import('../palette/palette.tsx'));
const KeysSheet = lazyPart(() => import('../palette/keys-sheet.tsx'));
type Shown = 'palette' | 'keys' | null;

/** Which of the two a key asks for. Ctrl+K is meant by its place, so that it holds in any layout; `?` never while somebody types. */
function askedBy(event: KeyboardEvent): 'palette' | 'keys' | null {
  if (event.code === 'KeyK' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) return 'palette';
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
  return event.key === '?' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey ? 'keys' : null;
}

/** The palette and the sheet of all keys, from anywhere; not over another dialog, which wants its own answer first. */
function useShown(): [Shown, (shown: Shown) => void] {
  const [shown, setShown] = useState<Shown>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const asked = askedBy(event);
      if (!asked || event.defaultPrevented) return;
      if (asked === 'palette') event.preventDefault();
      if (event.repeat) return;
      const isOpen = document.querySelector('.dialog-layer') !== null;
      setShown((present) => (present === asked ? null : present === null && !isOpen ? asked : present));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return [shown, setShown];
}

/** The button in the top bar that opens the palette, and whatever of the two is open. */
export function PaletteSlot() {
  const { t } = useText();
  const [shown, setShown] = useShown();
  const close = useCallback(() => setShown(null), [setShown]);
  const showKeys = useCallback(() => setShown('keys'), [setShown]);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t('shell.palette.open')}
        title={t('shell.palette.open')}
        aria-haspopup="dialog"
        onClick={() => setShown('palette')}
      >
        <i className="pi pi-search" aria-hidden="true" />
      </button>
      <Suspense>{shown === 'palette' && <Palette onClose={close} onKeys={showKeys} />}</Suspense>
      <Suspense>{shown === 'keys' && <KeysSheet onClose={close} />}</Suspense>
    </>
  );
}
