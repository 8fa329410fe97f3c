import { useMemo } from 'react';
import type { Group } from '#models/groups.ts';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { firstRows } from '#src/views/home/use-rows.ts';
import { IntegrationLines } from '#src/views/integrations/integration-lines.tsx';
import { useProfile } from '#src/views/profile-of.ts';
import { mayManage } from './may-manage.ts';

const locked = mayManage('can_manage_own_group_integrations');

function OfGroup({ row }: { row: Group }) {
  const { t } = useText();
  const profile = useProfile();
  const query = useMemo(() => firstRows(100, [{ field: 'domain_id', rule: 'equals', value: row.id }]), [row.id]);
  return (
    <div className="group-integrations">
      <p className="quiet small">{t('areas.integrations.of_group')}</p>
      <IntegrationLines query={query} add={locked({ profile, row }) ? null : `/integration/add?domain_id=${row.id}`} />
    </div>
  );
}

/** The integrations that belong to the group, and the way to one more. */
export const IntegrationsPiece = ({ row }: PieceProps<Group>) => row && <OfGroup row={row} />;
