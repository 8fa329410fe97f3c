import { useMemo } from 'react';
import type { Group } from '#models/groups.ts';
import { may } from '#models/permissions.ts';
import type { SipTrunk } from '#models/sip-trunks.ts';
import { AddChip } from '#src/components/chips.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useLiveRows } from '#src/views/area/use-live-rows.ts';
import { firstRows } from '#src/views/home/use-rows.ts';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { PageLink } from '#src/views/shell/page-link.tsx';
import { usePages } from '#src/views/shell/page-reports.ts';
import '#src/views/integrations/integrations.css';

function OfGroup({ row }: { row: Group }) {
  const { t } = useText();
  const pages = usePages();
  const mayAdd = may(actorOf(useProfile()), 'create', 'sip-trunks', { id: '', domains: [row.id] });
  const query = useMemo(() => firstRows(100, [{ field: 'groups', rule: 'has', value: row.id }]), [row.id]);
  const { rows, loading, problem, reload } = useLiveRows<SipTrunk>('sip-trunks', query);
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (loading && rows.length === 0) return <SkeletonLines lines={2} label={t('list.loading')} />;
  return (
    <div className="group-integrations">
      {rows.length === 0 && <p className="quiet">{t('areas.groups.trunks.none')}</p>}
      <ul className="integration-lines">
        {rows.map(({ id, name, termination_uri: server, outgoing_number: number }) => (
          <li key={id} className="integration-line">
            <i className="pi pi-share-alt" aria-hidden="true" />
            <span className="grow">
              <PageLink to={`/sip-trunks/${id}/edit`}>{name}</PageLink>
              <span className="cell-sub">{[server, number].filter((part) => part !== null).join(' · ')}</span>
            </span>
          </li>
        ))}
      </ul>
      {mayAdd && <AddChip label={t('areas.groups.trunks.add')} onClick={() => pages.open(`/sip-trunks/add?groups=${row.id}`)} />}
    </div>
  );
}

/** The SIP trunks by which the group's people call out, and the way to one more. */
export const TrunksPiece = ({ row }: PieceProps<Group>) => row && <OfGroup row={row} />;
