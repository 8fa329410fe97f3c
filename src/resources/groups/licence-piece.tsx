import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import type { Group } from '#models/groups.ts';
import { hasPermission } from '#models/permissions.ts';
import type { GroupAllowance } from '#models/licences.ts';
import { LicencesField } from '#src/components/fields/licences-field.tsx';
import { usePeriodText } from '#src/components/licence-day.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useReading } from '#src/views/area/use-reading.ts';
import { SeatCounts } from '#src/views/licences/seat-counts.tsx';
import { actorOf, useProfile } from '#src/views/profile-of.ts';
import { useLicence } from '#src/views/system.ts';
import { licenceLocked } from './may-manage.ts';

const tones = { active: 'tag-good', ending: 'tag-warn', disabled: 'tag-bad' } as const;

/** What the group may be given, read anew when it is saved or licences change. */
function useAllowance(row: Group | null) {
  const licenceStatus = useSelector(useLicence(), (snapshot) => snapshot?.context.licenceStatus ?? null);
  const again = useMemo(() => ({ version: row?.version, licenceStatus }), [row?.version, licenceStatus]);
  const { answer: allowance, problem, reload } = useReading('groupAllowance', row && { params: { id: row.id } }, { again });
  return { allowance, problem, reload };
}

function Given({ allowance }: { allowance: GroupAllowance }) {
  const { t } = useText();
  const periodText = usePeriodText();
  const { parent, period, types, state } = allowance;
  return (
    <dl className="facts licence-facts">
      <div className="fact">
        <dt>{t('areas.groups.licence.state')}</dt>
        <dd>
          <span className={`tag ${tones[state]}`}>{t(`list.licences.states.${state}`)}</span>
        </dd>
      </div>
      <div className="fact">
        <dt>{parent ? t('areas.groups.licence.given_by', { name: parent.name }) : t('areas.groups.licence.given_by_project')}</dt>
        <dd>
          {types.length > 0 ? types.map((type) => t(`list.licences.types.${type}`)).join(', ') : t('areas.groups.licence.nothing')}
          <span className="cell-sub">{periodText(period)}</span>
        </dd>
      </div>
    </dl>
  );
}

/** How a group's licence stands, what its parent leaves it, and who holds its seats. */
export function LicenceStanding({ row }: PieceProps<Group>) {
  const { t } = useText();
  const { allowance, problem, reload } = useAllowance(row);
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (!row || !allowance) return <SkeletonLines lines={4} label={t('list.loading')} />;
  return (
    <div className="licence-standing">
      <Given allowance={allowance} />
      <SeatCounts seats={allowance.seats} groupId={row.id} />
    </div>
  );
}

/** The features and counts of a group; what its parent does not have is marked, counts are for those who may edit them. */
export function LicenceFeatures({ row, draft, mode, change }: PieceProps<Group>) {
  const { t } = useText();
  const profile = useProfile();
  const { allowance } = useAllowance(row);
  const licence = (draft as Partial<Group>).licenseInfo;
  if (!row || !licence) return null;
  const path = 'licenseInfo.info';
  return (
    <div className="licence-features">
      <LicencesField
        id="group-licences"
        path={path}
        area="groups"
        label={t(`areas.groups.fields.${path}`)}
        value={licence.info}
        onChange={(next) => change(path, next)}
        meta={{ kind: 'licences', nullable: false, optional: false }}
        readOnly={mode === 'view' || licenceLocked({ profile, row })}
        countsLocked={!hasPermission(actorOf(profile), 'can_edit_license_counts')}
        given={allowance?.features}
        invalid={false}
        describedBy={undefined}
        required={false}
        draft={{}}
      />
    </div>
  );
}
