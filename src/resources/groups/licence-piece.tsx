import type { Group } from '#models/groups.ts';
import { LicencesField } from '#src/components/fields/licences-field.tsx';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';

const ignore = () => undefined;

/** What the group is licensed for; changed where licences are managed, only shown here. */
export function LicencePiece({ row }: PieceProps<Group>) {
  const { t } = useText();
  if (!row) return null;
  const { isEnabled, notifications, info } = row.licenseInfo;
  const label = (key: string) => t(`areas.groups.fields.licenseInfo.${key}`);
  return (
    <>
      <dl className="facts licence-facts">
        <div className="fact">
          <dt>{label('isEnabled')}</dt>
          <dd>{t(isEnabled ? 'list.yes' : 'list.no')}</dd>
        </div>
        <div className="fact">
          <dt>{label('notifications.period')}</dt>
          <dd>{t(`areas.groups.options.licenseInfo.notifications.period.${notifications.period}`)}</dd>
        </div>
        <div className="fact">
          <dt>{label('notifications.notify_before')}</dt>
          <dd>{notifications.notify_before}</dd>
        </div>
      </dl>
      <LicencesField
        id="group-licences"
        path="licenseInfo.info"
        area="groups"
        label={label('info')}
        value={info}
        onChange={ignore}
        meta={{ kind: 'licences', nullable: false, optional: false }}
        readOnly
        invalid={false}
        describedBy={undefined}
        required={false}
        draft={{}}
      />
    </>
  );
}
