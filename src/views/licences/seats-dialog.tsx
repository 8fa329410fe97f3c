import { useEffect, useState } from 'react';
import type { SeatHolder } from '#models/licences.ts';
import type { CountedFeature } from '#models/seats.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { type Request, useRequest } from '../area/use-request.ts';
import { PageLink } from '../shell/page-link.tsx';

const manyRows = 12;

/** The call that lists the holders: of the project, or of one group and below. */
function useHolders(
  feature: CountedFeature,
  groupId: string | undefined,
): { answer: SeatHolder[] | null; request: Request<'licenceSeats' | 'groupSeats'> } {
  const whole = useRequest('licenceSeats');
  const group = useRequest('groupSeats');
  const { run: runWhole } = whole;
  const { run: runGroup } = group;
  useEffect(() => {
    if (groupId === undefined) runWhole({ params: { feature } });
    else runGroup({ params: { id: groupId, feature } });
  }, [feature, groupId, runWhole, runGroup]);
  const request = (groupId === undefined ? whole : group) as Request<'licenceSeats' | 'groupSeats'>;
  return { answer: request.answer, request };
}

function Holders({ holders, onFollow }: { holders: readonly SeatHolder[]; onFollow: () => void }) {
  const { t } = useText();
  const [wanted, setWanted] = useState('');
  const word = wanted.trim().toLocaleLowerCase();
  const shown = holders.filter(({ user, by }) => `${user?.name ?? ''} ${by}`.toLocaleLowerCase().includes(word));
  if (holders.length === 0) return <p className="quiet">{t('list.licences.no_holders')}</p>;
  return (
    <>
      {holders.length > manyRows && (
        <TextInput
          type="search"
          className="seat-search"
          value={wanted}
          placeholder={t('list.licences.find_holder')}
          aria-label={t('list.licences.find_holder')}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      <ul className="seat-holders">
        {shown.map(({ id, user, by }) => (
          <li key={id} onClickCapture={onFollow}>
            {user ? <PageLink to={`/users/${user.id}`}>{user.name}</PageLink> : <PageLink to={`/virtual-numbers/${id}`}>{by}</PageLink>}
            {user && <span className="quiet small">{by}</span>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="quiet">{t('list.nothing_matches')}</p>}
    </>
  );
}

/** Who holds the seats of a feature: each leads to the person, or to the number of a device or group. */
export function SeatsDialog({ feature, groupId, onClose }: { feature: CountedFeature; groupId?: string; onClose: () => void }) {
  const { t } = useText();
  const { answer, request } = useHolders(feature, groupId);
  const name = t(`list.licences.counted.${feature}`);
  return (
    <Modal
      title={answer ? t('list.licences.holders_count', { feature: name, total: answer.length }) : t('list.licences.holders', { feature: name })}
      onDismiss={onClose}
      footer={<Button tone="plain" label={t('list.close')} onClick={onClose} />}
    >
      {request.problem && <Failure problem={request.problem} onRetry={onClose} />}
      {!answer && !request.problem && <SkeletonLines lines={6} label={t('interface.loading')} />}
      {answer && <Holders holders={answer} onFollow={onClose} />}
    </Modal>
  );
}
