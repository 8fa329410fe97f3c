import { createContext, useContext, useEffect } from 'react';

/** Where the top bar hears what the page is called. */
export const PageTitleContext = createContext<(title: string) => void>(() => {});

const product = 'Doorward';

/** Names the browser's tab. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product;
  }, [title]);
}

/** Names the page: in the top bar and in the browser's tab, for as long as it is shown. */
export function usePageTitle(title: string): void {
  const show = useContext(PageTitleContext);
  useDocumentTitle(title);
  useEffect(() => show(title), [show, title]);
}
