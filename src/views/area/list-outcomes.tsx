import { useSelector } from '@xstate/react';
import { Button } from '#src/components/button.tsx';
import type { ListActor } from '#machines/list/list.machine.ts';
import { isWireCode } from '#models/problem.ts';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';

/** After a bulk delete in which some rows stayed: which, and why each. */
export function ListOutcomes({ list }: { list: ListActor }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const outcomes = useSelector(list, ({ context }) => context.outcomes);
  const failed = outcomes.filter(({ ok }) => !ok);
  if (failed.length === 0) return null;
  const close = () => list.send({ type: 'outcomes.clear' });
  const gone = outcomes.length - failed.length;
  return (
    <Modal title={t('list.outcomes.title')} onDismiss={close} footer={<Button label={t('list.close')} onClick={close} />}>
      <p>
        {gone > 0 && `${t('list.outcomes.deleted', { count: gone })}. `}
        {t('list.outcomes.kept', { count: failed.length })}
      </p>
      <ul className="lines">
        {failed.map(({ id, name, problem }) => (
          <li key={id} className="line">
            <strong>{name ?? t('list.none')}</strong>
            <span className="line-end">
              {problem && sayProblem({ code: isWireCode(problem.code) ? problem.code : 'internal', message: problem.message })}
            </span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
