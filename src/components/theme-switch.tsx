import { useText } from './text.ts';
import './switches.css';

const choices = { system: 'pi-desktop', light: 'pi-sun', dark: 'pi-moon' } as const;
type Choice = keyof typeof choices;
const names = Object.keys(choices) as Choice[];

/** How the page looks: as in the system, light or dark. */
export function ThemeSwitch({ choice, onChange }: { choice: Choice; onChange: (choice: Choice) => void }) {
  const { t } = useText();
  return (
    <div className="switch" role="group" aria-label={t('interface.theme.label')}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === choice}
          aria-label={t(`interface.theme.${name}`)}
          title={t(`interface.theme.${name}`)}
          onClick={() => onChange(name)}
        >
          <i className={`pi ${choices[name]}`} aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}
