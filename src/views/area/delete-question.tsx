import { Button } from '#src/components/button.tsx';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import type { PendingDialog } from '#machines/alerts/alerts.machine.ts';
import type { EditorContext } from '#machines/editor/editor.machine.ts';
import type { ListContext } from '#machines/list/list-rows.ts';
import { type AreaName, areaOf, isArea } from '#models/areas.ts';
import { asText } from '#src/components/as-text.ts';
import { Modal } from '#src/components/modal.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useAlerts, useServices } from '#src/views/system.ts';
import { ChosenFindings } from './bulk-findings.tsx';
import { useReading } from './use-reading.ts';
import './area.css';
import { PersonClockwork } from '../shell/person-clockwork.tsx';

const AccessEffectNote = lazyPart(() => import('../access/effect.tsx').then(({ AccessEffectNote: view }) => ({ default: view })));

/** Deleting a row of these areas may close doors to people. */
const opening = ['access-rules', 'elevator-access-rules', 'users', 'groups'] as const;
const opensDoors = (area: AreaName): area is (typeof opening)[number] => (opening as readonly string[]).includes(area);

/** What is to be deleted: one row by name, or so many. */
interface Doomed {
  area: AreaName;
  id: string | null;
  /** Those chosen, where there are several; null where all that match are meant. */
  ids: readonly string[] | null;
  name: string;
  count: number;
}

/** Reads from whoever asks, a list or an editor, what its question is about. */
function doomedOf({ dialog }: PendingDialog): Doomed | undefined {
  const { context } = (dialog.replyTo?.getSnapshot() ?? {}) as { context?: Partial<ListContext & EditorContext> };
  if (!context?.area || !isArea(context.area)) return undefined;
  const { label } = areaOf(context.area);
  const ids = context.target && 'ids' in context.target ? context.target.ids : context.target ? null : [context.id ?? ''];
  const id = ids?.length === 1 ? (ids[0] ?? null) : null;
  const row = context.row ?? context.rows?.find((known) => known.id === id);
  return {
    area: context.area,
    id,
    ids: ids && ids.length > 1 ? ids : null,
    name: asText(row?.[label]),
    count: ids ? ids.length : (context.total ?? 0),
  };
}

/** What the row is called; asked for where whoever asks does not know it, as the tree of groups. */
function useName(doomed: Doomed | undefined): string {
  const { nameOf } = useServices();
  const [found, setFound] = useState('');
  const { area, id, name = '' } = doomed ?? {};
  useEffect(() => {
    if (!area || !id || name) return;
    void nameOf(area, id).then((known) => setFound(known ?? ''));
  }, [nameOf, area, id, name]);
  return name || found;
}

interface DependantsProps {
  area: AreaName;
  id: string;
  /** Something else is still being looked up: that there is nothing cannot be said yet. */
  isOpen: boolean;
  onUsed: (used: boolean) => void;
}

/** What depends on the row, by name; asked for before anything is deleted. */
function Dependants({ area, id, isOpen, onUsed }: DependantsProps) {
  const { t } = useText();
  const done = (found: readonly { total: number }[]): void => onUsed(found.some(({ total }) => total > 0));
  const { answer, problem } = useReading('dependants', { params: { area, id } }, { done });
  if (problem) return <p className="quiet">{t('list.dependants.failed')}</p>;
  if (!answer) return <SkeletonLines lines={2} label={t('list.dependants.looking')} />;
  const used = answer.filter(({ total }) => total > 0);
  if (used.length === 0) return isOpen ? null : <p className="quiet">{t('list.dependants.none')}</p>;
  return (
    <div className="dependants">
      <p>{t('list.dependants.some')}</p>
      <ul>
        {used.map(({ area: user, rows, total }) => (
          <li key={user}>
            <strong>{t(`areas.${user}.count`, { count: total })}</strong>: {rows.map(({ name }) => name).join(', ')}
            {total > rows.length && ` ${t('list.dependants.more', { count: total - rows.length })}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The question before something is deleted: what it is, and what depends on it; the button says what it does. */
export default function DeleteQuestion({ pending }: { pending: PendingDialog }) {
  const { t, has } = useText();
  const alerts = useAlerts();
  const [used, setUsed] = useState(false);
  const [isReckoned, setReckoned] = useState(false);
  const reckoned = useCallback(() => setReckoned(true), []);
  const doomed = doomedOf(pending);
  const name = useName(doomed);
  const dismiss = () => alerts.send({ type: 'dialog.dismiss' });
  const single = doomed?.id != null && name !== '';
  const key = doomed ? `areas.${doomed.area}` : '';
  const title = !doomed
    ? t(pending.dialog.text.key, { ...pending.dialog.text.params })
    : single
      ? t(`${key}.delete_named`, { name })
      : t(`${key}.delete_question`, { count: doomed.count });
  return (
    <Modal
      title={title}
      onDismiss={dismiss}
      footer={
        <>
          <Button tone="plain" data-focus label={t('list.cancel')} onClick={dismiss} />
          <Button
            tone="danger"
            disabled={used}
            label={doomed ? (single ? t('list.dependants.delete', { name }) : t(`${key}.delete`, { count: doomed.count })) : t('list.editor.delete')}
            onClick={() => alerts.send({ type: 'dialog.answer', action: 'approve' })}
          />
        </>
      }
    >
      {doomed?.id && <Dependants area={doomed.area} id={doomed.id} isOpen={opensDoors(doomed.area) && !isReckoned} onUsed={setUsed} />}
      {doomed?.ids && <ChosenFindings area={doomed.area} ids={doomed.ids} />}
      {doomed?.id && !used && opensDoors(doomed.area) && (
        <Suspense>
          <PersonClockwork>
            <AccessEffectNote change={{ area: doomed.area, id: doomed.id, draft: null }} onReckoned={reckoned} />
          </PersonClockwork>
        </Suspense>
      )}
      {doomed && !used && has(`${key}.delete_note`) && <p className="quiet">{t(`${key}.delete_note`)}</p>}
    </Modal>
  );
}
