import { useSelector } from '@xstate/react';
import type { PickerActor } from '#machines/picker.machine.ts';
import { openPicker } from '#machines/workspace.machine.ts';
import { modelOf } from '#models/index.ts';
import { asText } from '#src/components/as-text.ts';
import { type Candidate, PickerSheet } from '#src/components/picker-sheet.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { useWorkspace } from '#src/views/system.ts';
import { pickers } from './pickers.ts';
import type { AnyRow } from './resource.ts';

const stateOf = (snapshot: ReturnType<PickerActor['getSnapshot']>): 'loading' | 'more' | 'failed' | 'ready' => {
  if (snapshot.hasTag('failed')) return 'failed';
  if (snapshot.hasTag('loadingMore')) return 'more';
  return snapshot.hasTag('loading') ? 'loading' : 'ready';
};

function Sheet({ picker }: { picker: PickerActor }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const profile = useProfile();
  const { request, search, rows, total, chosen, problem } = useSelector(picker, ({ context }) => context);
  const state = useSelector(picker, stateOf);
  const { area, multiple } = request;
  const definition = pickers[area];
  const { label } = modelOf(area);
  const candidate = (row: AnyRow): Candidate => {
    const refusal = area === 'roles' ? definition?.refusal?.(row, profile) : null;
    return {
      id: row.id,
      name: asText(row[label]),
      ...(typeof row['color'] === 'string' && { color: row['color'] }),
      second: refusal ? t(`list.picker.refused.${refusal}`) : (definition?.second?.(row) ?? undefined),
      refused: Boolean(refusal),
      ...(definition?.full && { full: definition.full(row) }),
    };
  };
  return (
    <PickerSheet
      title={t('list.picker.title', { what: t(`areas.${area}.${multiple ? 'title' : 'one'}`).toLocaleLowerCase() })}
      multiple={multiple}
      search={search}
      rows={(rows as readonly AnyRow[]).map(candidate)}
      chosen={chosen}
      total={total}
      state={state}
      problem={problem ? sayProblem(problem) : undefined}
      onSearch={(text) => picker.send({ type: 'picker.search', text })}
      onToggle={({ id, name, color, full }: Candidate) => picker.send({ type: 'picker.toggle', row: { id, name: full ?? name, ...(color && { color }) } })}
      onMore={() => picker.send({ type: 'picker.more' })}
      onRetry={() => picker.send({ type: 'rows.reload' })}
      onDone={() => picker.send({ type: 'picker.approve' })}
      onClose={() => picker.send({ type: 'picker.cancel' })}
    />
  );
}

/** The sheet in which rows are chosen, while one is open. */
export function PickerHost() {
  const picker = useSelector(useWorkspace(), openPicker);
  return picker ? <Sheet key={picker.sessionId} picker={picker} /> : null;
}
