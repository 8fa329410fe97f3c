import { Button } from '#src/components/button.tsx';
import { useState } from 'react';
import type { Group } from '#models/groups.ts';
import { FileChoice } from '#src/components/file-choice.tsx';
import { pictureTypes } from '#src/components/picture-file.ts';
import { useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { mayManage } from './may-manage.ts';
import './groups.css';

const locked = mayManage('can_manage_own_group_white_label');

/** The group's own logo: uploaded and taken away at once, apart from the form. */
export function LogoPiece({ row, mode, reload }: PieceProps<Group>) {
  const { t } = useText();
  const profile = useProfile();
  // Stored apart from the form, so the row that is being edited does not know of it.
  const [stored, setStored] = useState<string | null>();
  const taken = (logo: string | null) => {
    setStored(logo);
    reload();
  };
  const upload = useRequest('setGroupLogo', { done: ({ logo }) => taken(logo) });
  const remove = useRequest('removeGroupLogo', { done: () => taken(null) });
  if (!row) return null;
  const logo = stored === undefined ? row.whitelabel.logo : stored;
  if (!logo && mode === 'view') return null;
  return (
    <div className="logo-piece">
      {logo && <img className="logo" src={logo} alt={t('areas.groups.fields.whitelabel.logo')} />}
      {mode !== 'view' && !locked({ profile, row }) && (
        <FileChoice
          types={pictureTypes}
          name={t('areas.groups.logo.upload')}
          label={t('areas.groups.logo.upload')}
          loading={upload.running}
          problem={upload.problem ?? remove.problem}
          onChoose={(image) => {
            remove.reset();
            upload.run({ params: { id: row.id }, files: { image } });
          }}
        >
          {logo && (
            <Button
              tone="danger-quiet"
              small
              label={t('areas.groups.logo.remove')}
              loading={remove.running}
              onClick={() => remove.run({ params: { id: row.id } })}
            />
          )}
        </FileChoice>
      )}
    </div>
  );
}
