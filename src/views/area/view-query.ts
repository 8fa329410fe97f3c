/** What of a list's address makes a view: all but the page one is on, and the page's own id. */
export function viewQuery(params: URLSearchParams): string {
  const query = new URLSearchParams(params);
  for (const key of ['page', 'pageId']) query.delete(key);
  query.sort();
  return query.toString();
}
