import { useText } from '#src/components/text.ts';

/** The pages that can be gone to at once: the first, the last and those beside the present one; null where some are left out. */
export function pagesAround(page: number, pages: number): (number | null)[] {
  const shown = new Set([1, page - 1, page, page + 1, pages].filter((one) => one >= 1 && one <= pages));
  // A gap of one page is that page.
  for (const one of [2, pages - 1]) if (one > 1 && one < pages && shown.has(one - 1) && shown.has(one + 1)) shown.add(one);
  if (page === 4) shown.add(2);
  if (page === pages - 3) shown.add(pages - 1);
  const numbers = [...shown].filter((one) => one >= 1 && one <= pages).toSorted((one, other) => one - other);
  return numbers.flatMap((one, at) => (at > 0 && one - (numbers[at - 1] ?? 0) > 1 ? [null, one] : [one]));
}

/** The pages of a list by number. */
export function PageNumbers({ page, pages, onPage }: { page: number; pages: number; onPage: (page: number) => void }) {
  const { t } = useText();
  if (pages < 2) return null;
  return (
    <ol className="foot-numbers">
      {pagesAround(page, pages).map((one, at) =>
        one === null ? (
          <li key={`gap ${at < 3 ? 'before' : 'after'}`} aria-hidden="true">
            …
          </li>
        ) : (
          <li key={one}>
            <button
              type="button"
              className="foot-number"
              aria-current={one === page ? 'page' : undefined}
              aria-label={t('list.foot.page', { page: one })}
              onClick={() => onPage(one)}
            >
              {one}
            </button>
          </li>
        ),
      )}
    </ol>
  );
}
