import { useState } from 'react';
import { useText } from '#src/components/text.ts';
import { defaultKeys, keyName, keyOf, type ShortcutAct, shortcutActs, type ShortcutKeys } from './shortcuts.ts';

/** The keys of the phone: each can be changed by pressing another, and switched off. */
export function ShortcutList({ keys, onKeys }: { keys: ShortcutKeys; onKeys: (keys: ShortcutKeys) => void }) {
  const { t } = useText();
  const [asked, setAsked] = useState<ShortcutAct | null>(null);
  /** A key does one thing: whoever had it before is left without. */
  const give = (act: ShortcutAct, key: string | null): void => {
    const freed = shortcutActs.filter((one) => key !== null && keys[one] === key).map((one) => [one, null]);
    onKeys({ ...keys, ...(Object.fromEntries(freed) as Partial<ShortcutKeys>), [act]: key });
    setAsked(null);
  };
  return (
    <ul className="shortcut-list">
      {shortcutActs.map((act) => {
        const key = keys[act];
        return (
          <li key={act} className="shortcut">
            <label className="field-flag grow">
              <input type="checkbox" className="check" checked={key !== null} onChange={() => give(act, key === null ? defaultKeys[act] : null)} />
              {t(`phone.shortcuts.${act}`)}
            </label>
            <button
              type="button"
              className="shortcut-key"
              aria-label={t('phone.shortcuts.change', { act: t(`phone.shortcuts.${act}`), key: key ? keyName(key) : '—' })}
              onClick={() => setAsked(act)}
              onBlur={() => setAsked(null)}
              onKeyDown={(event) => {
                if (asked !== act) return;
                if (event.key === 'Escape') {
                  event.preventDefault();
                  setAsked(null);
                }
                const pressed = keyOf(event.nativeEvent);
                if (!pressed) return;
                event.preventDefault();
                event.stopPropagation();
                give(act, pressed);
              }}
            >
              {asked === act ? t('phone.shortcuts.press') : <kbd>{key ? keyName(key) : '—'}</kbd>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
