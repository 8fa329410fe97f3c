import { useText } from '#src/components/text.ts';
import './keypad.css';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;
type Key = (typeof keys)[number];

/** The twelve keys (clause DIAL-10). */
export function Keys({ onPress }: { onPress: (key: Key) => void }) {
  const { t } = useText();
  const names: Partial<Record<Key, string>> = { '*': t('phone.keypad.star'), '#': t('phone.keypad.hash') };
  return (
    <div className="keys" role="group" aria-label={t('phone.keypad.keys')}>
      {keys.map((key) => (
        <button key={key} type="button" className="key" aria-label={names[key]} onClick={() => onPress(key)}>
          {key}
        </button>
      ))}
    </div>
  );
}
