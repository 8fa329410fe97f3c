import { useState } from 'react';
import type { TransferEffect } from '#models/identifier-calls.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { RefPicker } from '../area/ref-picker.tsx';
import { useReading } from '../area/use-reading.ts';
import { useRequest } from '../area/use-request.ts';
import '#src/components/filters/filters.css';
import './enrol.css';

interface Named {
  id: string;
  name: string;
}
interface TransferDialogProps {
  identifier: Named;
  owner: Named;
  /** Who gets it, where that is known beforehand. */
  to?: string | null;
  onDone: () => void;
  onClose: () => void;
}

/** What it opens in the other hands, door by door. */
function Effect({ effect }: { effect: TransferEffect }) {
  const { t } = useText();
  const parts = (['opens', 'closes', 'hours'] as const).filter((kind) => effect[kind].length > 0);
  if (parts.length === 0) return <p className="quiet">{t('areas.identifiers.transfer.same')}</p>;
  return (
    <ul className="transfer-effect" aria-live="polite">
      {parts.map((kind) => (
        <li key={kind}>
          <strong>{t(`areas.identifiers.transfer.${kind}`, { count: effect[kind].length })}</strong>
          <span className="quiet">{effect[kind].map(({ name }) => name).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
}

/** Gives an identifier to somebody else: who, what it opens there, and then in one step. */
export function TransferDialog({ identifier, owner, to = null, onDone, onClose }: TransferDialogProps) {
  const { t } = useText();
  const [chosen, choose] = useState(to);
  const transfer = useRequest('transferIdentifier', { done: onDone });
  const isAsked = chosen !== null && chosen !== owner.id;
  const effect = useReading('transferEffect', isAsked ? { params: { id: identifier.id, user: chosen } } : null);
  const { answer } = effect;
  return (
    <Modal
      title={t('areas.identifiers.transfer.title', { name: owner.name })}
      onDismiss={transfer.running ? undefined : onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={transfer.running} onClick={onClose} />
          <Button
            icon="pi-arrow-right-arrow-left"
            label={t('areas.identifiers.transfer.move')}
            loading={transfer.running}
            disabled={!answer || !isAsked}
            onClick={() => answer && transfer.run({ params: { id: identifier.id }, body: { from: owner.id, to: answer.to.id } })}
          />
        </>
      }
    >
      <p>{t('areas.identifiers.transfer.does', { identifier: identifier.name, name: owner.name })}</p>
      <ProblemNote problem={transfer.problem ?? effect.problem} />
      {to === null && (
        <div className="transfer-who">
          <span className="field-label">{t('areas.identifiers.transfer.to')}</span>
          <RefPicker
            id="transfer-to"
            area="users"
            label={t('areas.identifiers.transfer.to')}
            ids={chosen === null ? [] : [chosen]}
            onChange={(ids) => choose(ids.at(-1) ?? null)}
          />
        </div>
      )}
      {chosen === owner.id && <p className="quiet">{t('areas.identifiers.transfer.own')}</p>}
      {isAsked && answer && (
        <section className="transfer-to">
          <h3>{t('areas.identifiers.transfer.effect', { name: answer.to.name })}</h3>
          <Effect effect={answer} />
        </section>
      )}
      {isAsked && !answer && !effect.problem && <SkeletonLines lines={2} label={t('list.effect.looking')} />}
    </Modal>
  );
}
