import { type AreaName, areaOf } from '#models/areas.ts';
import { type EventPayload, readTopic, topics } from '#models/realtime.ts';
import type { OpenDialog, OpenPage } from './pages.ts';
import type { RealtimeFact } from '../realtime/realtime.machine.ts';

/** The part of the workspace that says what is on screen and under way. */
interface OnScreen {
  pages: readonly OpenPage[];
  dialogs: readonly OpenDialog[];
  jobIds: Readonly<Record<string, string>>;
  /** Editors in which somebody types, or may at once. */
  editing: readonly string[];
  /** Children whose code has not come yet. */
  loading: readonly string[];
}
/** What a list, an editor or long work is told. */
type Command =
  | { type: 'rows.changed'; ids: readonly string[] }
  | { type: 'row.changed'; ids: readonly string[] }
  | { type: 'editors.changed'; people: Editor[] }
  | { type: 'job.changed' }
  | { type: 'job.unheard' };

type Editor = EventPayload<'EditorsChanged'>['people'][number];

/** The editors of stored rows that people write, with what they are about. */
function editorsIn({ pages, dialogs }: Pick<OnScreen, 'pages' | 'dialogs'>): { child: string; area: AreaName; id: string }[] {
  return [...pages, ...dialogs].flatMap(({ child, area }) => {
    const [kind, , id = ''] = (child ?? '').split(':');
    return child && area && kind === 'editor' && id !== 'new' && !areaOf(area).readOnly ? [{ child, area, id }] : [];
  });
}

/**
 * What is on screen is heard of: the areas of lists and editors, and long work. Who else is at a row is said once, when its topic is subscribed to:
 * an editor that has not begun would miss it.
 */
export function topicsOf({ pages, dialogs, jobIds, editing, loading }: OnScreen): string[] {
  const areas = [
    ...pages.flatMap(({ area, kind }) => (area && kind !== 'add' && kind !== 'other' ? [area] : [])),
    ...dialogs.map(({ area }) => area),
  ];
  const rows = editorsIn({ pages, dialogs })
    .filter(({ child }) => !loading.includes(child))
    .map(({ child, area, id }) => (editing.includes(child) ? topics.editing(area, id) : topics.editors(area, id)));
  return [...new Set(areas)]
    .map((area) => topics.area(area))
    .concat(
      Object.values(jobIds).map((id) => topics.job(id)),
      rows,
    );
}

/** Changed rows by area; without ids any row. */
function changesIn(fact: RealtimeFact): { area: AreaName; ids: readonly string[] }[] {
  if (fact.type === 'realtime.events') return fact.events.flatMap((event) => (event.name === 'RowsChanged' ? [event.payload] : []));
  if (fact.type !== 'realtime.resynced') return [];
  return fact.topics.flatMap((name) => {
    const topic = readTopic(name);
    return topic?.kind === 'area' ? [{ area: topic.area, ids: [] }] : [];
  });
}

/** Long work that has come further, or may have. */
function workIn(fact: RealtimeFact): string[] {
  if (fact.type === 'realtime.events') return fact.events.flatMap((event) => (event.name === 'JobChanged' ? [event.payload.id] : []));
  if (fact.type !== 'realtime.resynced') return [];
  return fact.topics.flatMap((name) => {
    const topic = readTopic(name);
    return topic?.kind === 'job' ? [topic.id] : [];
  });
}

const isList = (child: string): boolean => child.startsWith('list:');

/** Which editors are told who else is at their row; while nothing is heard, nobody is. */
function editorsNotified(open: Pick<OnScreen, 'pages' | 'dialogs'>, fact: RealtimeFact): { child: string; event: Command }[] {
  const editors = editorsIn(open);
  if (fact.type === 'realtime.gap') return editors.map(({ child }) => ({ child, event: { type: 'editors.changed', people: [] } }));
  if (fact.type !== 'realtime.events') return [];
  return fact.events.flatMap((event) =>
    event.name === 'EditorsChanged'
      ? editors
          .filter(({ area, id }) => area === event.payload.area && id === event.payload.id)
          .map(({ child }) => ({ child, event: { type: 'editors.changed', people: event.payload.people } as const }))
      : [],
  );
}

/** Which children a fact of the channel concerns, and what each is told; and the areas whose rows may have changed. */
export function subscribersOf(
  { pages, dialogs, jobIds }: Pick<OnScreen, 'pages' | 'dialogs' | 'jobIds'>,
  fact: RealtimeFact,
): { commands: { child: string; event: Command }[]; areas: AreaName[] } {
  const open = [...pages, ...dialogs].flatMap(({ area, child }) => (area && child ? [{ area, child }] : []));
  const changes = changesIn(fact);
  const rows = changes.flatMap(({ area, ids }) =>
    open
      .filter((one) => one.area === area)
      .map(({ child }) => ({ child, event: { type: isList(child) ? 'rows.changed' : 'row.changed', ids } as const })),
  );
  const work = workIn(fact);
  const jobs = Object.entries(jobIds).flatMap(([child, id]): { child: string; event: Command }[] => {
    if (fact.type === 'realtime.gap') return [{ child, event: { type: 'job.unheard' } }];
    return work.includes(id) ? [{ child, event: { type: 'job.changed' } }] : [];
  });
  return { commands: [...rows, ...jobs, ...editorsNotified({ pages, dialogs }, fact)], areas: changes.map(({ area }) => area) };
}
