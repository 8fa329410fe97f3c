import { type ReactNode, useSyncExternalStore } from 'react';
import { AppMark } from '#src/components/app-mark.tsx';
import { LanguageSwitch } from '#src/components/language-switch.tsx';
import { useText } from '#src/components/text.ts';
import { ThemeSwitch } from '#src/components/theme-switch.tsx';
import { useServices } from '../system.ts';
import { productName, useDocumentTitle } from '../shell/page-title.ts';
import './session.css';

interface SessionFrameProps {
  title: string;
  lead?: string;
  wide?: boolean;
  children: ReactNode;
}

/** The plain page around everything one sees before being signed in. */
export function SessionFrame({ title, lead, wide = false, children }: SessionFrameProps) {
  const { t } = useText();
  const { theme, changeLanguage } = useServices();
  const choice = useSyncExternalStore(theme.follow, theme.get);
  useDocumentTitle(title);
  return (
    <div className="session-page">
      <header className="session-bar">
        <ThemeSwitch choice={choice} onChange={theme.set} />
        <LanguageSwitch onChange={(locale) => void changeLanguage(locale)} />
      </header>
      <main className={wide ? 'session-card session-wide' : 'session-card'}>
        <div className="session-brand">
          <AppMark size={36} />
          <span>{productName()}</span>
        </div>
        <h1>{title}</h1>
        {lead && <p className="quiet">{lead}</p>}
        {children}
      </main>
      <footer className="session-foot quiet small">{t('interface.tagline')}</footer>
    </div>
  );
}
