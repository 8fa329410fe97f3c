import { type Locale, locales } from '#models/constants.ts';
import { useText } from './text.ts';
import './switches.css';

/** The interface's language: one press changes it. */
export function LanguageSwitch({ onChange }: { onChange: (locale: Locale) => void }) {
  const { t, locale: present } = useText();
  return (
    <div className="switch" role="group" aria-label={t('interface.language')}>
      {locales.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === present}
          aria-label={t(`interface.languages.${locale}`)}
          title={t(`interface.languages.${locale}`)}
          onClick={() => onChange(locale)}
        >
          {locale.toUpperCase()}
        </button>
      ))}
    </div>
  );
}
