import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { type AreaName, isArea, modelOf } from '#models/index.ts';
import { emptyQuery } from '#models/query.ts';
import type { Chosen } from '#src/components/fields/field-props.ts';
import type { RefSource } from '#src/components/filters/filter-props.ts';
import { type Forest, forestOf } from '#src/components/group-tree-nodes.ts';
import { type Services, useServices, useWorkspace, type WorkspaceRef } from '#src/views/system.ts';

/** Names of rows that were seen, and the groups as a tree; for one signed-in person, gone with the workspace. */
interface Memory {
  names: Map<string, string>;
  asked: Set<string>;
  forest: Forest | undefined;
  /** Grows with everything learnt, so that views know to look again. */
  version: number;
  listeners: Set<() => void>;
}
const memories = new WeakMap<WorkspaceRef, Memory>();
/** How many candidates a small search offers. */
const CANDIDATES = 20;

function memoryOf(workspace: WorkspaceRef): Memory {
  const known = memories.get(workspace);
  if (known) return known;
  const fresh: Memory = { names: new Map(), asked: new Set(), forest: undefined, version: 0, listeners: new Set() };
  memories.set(workspace, fresh);
  return fresh;
}

function tell(memory: Memory): void {
  memory.version += 1;
  for (const listener of memory.listeners) listener();
}

function useMemory(): Memory {
  const memory = memoryOf(useWorkspace());
  const follow = useCallback(
    (heard: () => void) => {
      memory.listeners.add(heard);
      return () => memory.listeners.delete(heard);
    },
    [memory],
  );
  useSyncExternalStore(follow, () => memory.version);
  return memory;
}

const keyOf = (area: string, id: string): string => `${area}/${id}`;

function learn(memory: Memory, area: string, rows: readonly Chosen[]): void {
  const fresh = rows.filter(({ id, name }) => memory.names.get(keyOf(area, id)) !== name);
  for (const { id, name } of fresh) memory.names.set(keyOf(area, id), name);
  if (fresh.length > 0) tell(memory);
}

const labelled = (area: AreaName, row: { id: string } & Record<string, unknown>): Chosen => ({ id: row.id, name: String(row[modelOf(area).label] ?? '') });

/** A name nobody has seen yet is asked for once; a row that is gone or hidden stays without one. */
function askName(memory: Memory, services: Services, area: AreaName, id: string): void {
  const key = keyOf(area, id);
  if (memory.asked.has(key)) return;
  memory.asked.add(key);
  services.readRow(area, id).then(
    (row) => learn(memory, area, [labelled(area, row)]),
    () => undefined,
  );
}

/** Where filters get candidates and names of referenced rows from. */
export function useRefSource(): RefSource {
  const memory = useMemory();
  const services = useServices();
  const { version } = memory;
  return useMemo<RefSource>(
    () => ({
      find: async (area, text, signal) => {
        if (!isArea(area)) return [];
        const model = modelOf(area);
        const items = text.trim() ? model.search.map((field) => ({ field, rule: 'contains' as const, value: text.trim() })) : [];
        const query = { ...emptyQuery, size: CANDIDATES, sort: [...model.defaultSort], filters: { match: 'match_any' as const, items } };
        const { rows } = await services.findRows(area, query, signal);
        return rows.map((row) => labelled(area, row));
      },
      name: (area, id) => {
        const name = memory.names.get(keyOf(area, id));
        if (name === undefined && isArea(area)) queueMicrotask(() => askName(memory, services, area, id));
        return name;
      },
      learn: (area, row) => learn(memory, area, [row]),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- a new version means new names, so readers must look again
    [memory, services, version],
  );
}

/** The groups as a tree, asked for once; none while it is on its way. */
export function useForest(): { forest: Forest | undefined; reload: () => void } {
  const memory = useMemory();
  const services = useServices();
  const reload = useCallback(() => {
    services.ask('groupTree').then(
      (nodes) => {
        memory.forest = forestOf(nodes);
        tell(memory);
      },
      () => memory.asked.delete('groups/*'),
    );
  }, [memory, services]);
  useEffect(() => {
    if (memory.forest || memory.asked.has('groups/*')) return;
    memory.asked.add('groups/*');
    reload();
  }, [memory, reload]);
  return { forest: memory.forest, reload };
}
