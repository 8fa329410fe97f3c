import { createContext, useContext, useEffect, useLayoutEffect } from 'react';

/** What a page is called: what is done there and, where it is about one thing, its name. */
export interface PageTitle {
  title: string;
  of?: string;
}

/** Where the top bar hears what the page is called. */
export const PageTitleContext = createContext<(title: PageTitle) => void>(() => {});

/** What the product is called here: the page says it, by the white label of its address. */
export const productName = (): string => document.querySelector<HTMLMetaElement>('meta[name=application-name]')?.content ?? 'Doorward';

/** Names the browser's tab. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = [title, productName()].filter(Boolean).join(' · ');
  }, [title]);
}

/**
 * Names the page: in the top bar and in the browser's tab, for as long as it is shown. In the frame of the page itself: what is set in a
 * layout effect lets React run the page's other effects before that frame is painted, so that rows that are there already come in it too.
 */
export function usePageTitle(title: string, of?: string): void {
  const show = useContext(PageTitleContext);
  useDocumentTitle(of ? `${title} › ${of}` : title);
  useLayoutEffect(() => show({ title, ...(of && { of }) }), [show, title, of]);
}
