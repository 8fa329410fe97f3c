import { useEffect, useState } from 'react';
import type { AccessChange, EffectKind, EffectPlace } from '#models/access-effect.ts';
import type { Named } from '#models/define-model.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';

interface EffectPeopleProps {
  change: AccessChange;
  kind: EffectKind;
  /** Null where every place is meant. */
  place: (EffectPlace & Named) | null;
  onClose: () => void;
}

/** The people behind a number of a change's effect, by name. */
export function EffectPeople({ change, kind, place, onClose }: EffectPeopleProps) {
  const { t } = useText();
  const [page, setPage] = useState(1);
  const [people, setPeople] = useState<readonly Named[]>([]);
  const { answer, problem, running, run } = useRequest('accessEffectPeople', {
    done: (found) => setPeople((before) => (page === 1 ? found.people : [...before, ...found.people])),
  });
  const [opened] = useState(change);
  const { id: device, floor } = place ?? { id: null, floor: null };
  useEffect(() => run({ body: { change: opened, kind, device, floor, page } }), [run, opened, kind, device, floor, page]);
  const total = answer?.total ?? 0;
  const anywhere = t(change.area === 'elevator-access-rules' ? 'list.effect.any_floor' : 'list.effect.any_door');
  return (
    <Modal
      title={t(`list.effect.title_${kind}`, { door: place?.name ?? anywhere })}
      onDismiss={onClose}
      footer={<Button tone="plain" data-focus label={t('list.effect.close')} onClick={onClose} />}
    >
      {problem && <ProblemText problem={problem} />}
      {!answer && !problem && <SkeletonLines lines={4} label={t('list.effect.looking')} />}
      <ul className="effect-people">
        {people.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      {people.length < total && (
        <Button
          tone="plain"
          small
          disabled={running}
          label={t('list.effect.more', { count: total - people.length })}
          onClick={() => setPage(page + 1)}
        />
      )}
    </Modal>
  );
}
