import { defineForm } from '../define-form.ts';
import type { AreaName } from '../areas.ts';
import { toIssues } from '../issues.ts';
import { writtenView } from '../saved-views.ts';

/** A view of a list as it is kept: its name, whether it stands in the menu, and whose holders have it too. */
interface Draft {
  name: string;
  is_pinned: boolean;
  role: { id: string; name: string } | null;
}

/** Keeps what the list shows now under a name. */
export const savedViewForm = defineForm({
  name: 'saved-view',
  call: 'saveView',
  start: (): Draft => ({ name: '', is_pinned: false, role: null }),
  read: ({ role, ...draft }, _base, { area, query }: { area: AreaName; query: string }) => {
    const read = writtenView.safeParse({ ...draft, area, query, role: role?.id ?? null });
    return read.success ? { input: { body: read.data } } : { issues: toIssues(read.error) };
  },
  saved: 'interface.done',
});
