import { PrimeReactProvider } from 'primereact/api';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { Texts } from './i18n.ts';
import { keepPrimeLocale } from './prime-locale.ts';

/** Settings of PrimeReact for the signed-in screens; what comes before does without its code. */
export function Prime({ texts, children }: { texts: Texts; children: ReactNode }) {
  const value = useMemo(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
    return { nonce, cssTransition: !window.matchMedia('(prefers-reduced-motion: reduce)').matches, ripple: false };
  }, []);
  useEffect(() => keepPrimeLocale(texts), [texts]);
  return <PrimeReactProvider value={value}>{children}</PrimeReactProvider>;
}
