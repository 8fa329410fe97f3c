import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type AreaName, isArea } from '#models/areas.ts';
import type { Chosen } from '#src/components/fields/field-props.ts';
import { type Forest, forestOf } from '#src/components/group-tree-nodes.ts';
import { useServices, useWorkspace } from '#src/views/system.ts';
import { useReading } from './use-reading.ts';

/** Names of referenced rows that were seen or asked for. */
interface Names {
  nameOf: (area: string, id: string) => string | undefined;
  learn: (area: string, row: Chosen) => void;
}
/** The groups as a tree. */
interface Groups {
  forest: Forest | undefined;
  failed: boolean;
  /** Asks for the tree unless it is there or on its way. */
  want: () => void;
  reload: () => void;
}

const NamesContext = createContext<Names>({ nameOf: () => undefined, learn: () => undefined });
const GroupsContext = createContext<Groups>({ forest: undefined, failed: false, want: () => undefined, reload: () => undefined });

const keyOf = (area: string, id: string): string => `${area}/${id}`;

function useNames(): Names {
  const { nameOf: ask } = useServices();
  const asked = useRef(new Set<string>());
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const learn = useCallback((area: string, { id, name }: Chosen) => {
    setNames((known) => (known.get(keyOf(area, id)) === name ? known : new Map(known).set(keyOf(area, id), name)));
  }, []);
  const find = useCallback(
    async (area: AreaName, id: string) => {
      const name = await ask(area, id);
      if (name !== null) learn(area, { id, name });
    },
    [ask, learn],
  );
  return useMemo(
    () => ({
      learn,
      nameOf: (area, id) => {
        const key = keyOf(area, id);
        if (!names.has(key) && !asked.current.has(key) && isArea(area)) {
          asked.current.add(key);
          // Not while drawing: the answer changes what is drawn.
          queueMicrotask(() => void find(area, id));
        }
        return names.get(key);
      },
    }),
    [names, learn, find],
  );
}

const changesSettle = 300;

function useGroups(): Groups {
  const workspace = useWorkspace();
  const [isWanted, setWanted] = useState(false);
  const { answer: nodes, problem, reload } = useReading('groupTree', isWanted ? {} : null);
  const forest = useMemo(() => (nodes ? forestOf(nodes) : undefined), [nodes]);
  const want = useCallback(() => setWanted(true), []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settled = (): void => {
      timer = undefined;
      reload();
    };
    const subscription = workspace.on('rows.changed', ({ area }) => {
      // Changes that come close together are read together.
      if (area === 'groups' || area === 'group-types') timer ??= setTimeout(settled, changesSettle);
    });
    return () => {
      subscription.unsubscribe();
      clearTimeout(timer);
    };
  }, [workspace, reload]);
  return useMemo(() => ({ forest, failed: problem !== null, want, reload }), [forest, problem, want, reload]);
}

/** Keeps what the areas know of each other's rows, for one signed-in person. */
export function MemoryProvider({ children }: { children: ReactNode }) {
  const names = useNames();
  const groups = useGroups();
  return (
    <NamesContext value={names}>
      <GroupsContext value={groups}>{children}</GroupsContext>
    </NamesContext>
  );
}

/** Names of referenced rows; one that nobody has seen yet is asked for and comes a moment later. */
export const useRowNames = (): Names => useContext(NamesContext);

/** The groups as a tree, asked for when the first view wants it. */
export function useForest(wanted = true): Groups {
  const groups = useContext(GroupsContext);
  const { want } = groups;
  useEffect(() => {
    if (wanted) want();
  }, [wanted, want]);
  return groups;
}
