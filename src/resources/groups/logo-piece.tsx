import { Button } from '#src/components/button.tsx';
import { useRef, useState } from 'react';
import type { Group } from '#models/groups.ts';
import { fileIssue, pictureTypes } from '#src/components/picture-file.ts';
import { sayIssue, useProblemText, useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { useProfile } from '#src/views/profile-of.ts';
import { mayManage } from './may-manage.ts';
import './groups.css';

const locked = mayManage('can_manage_own_group_white_label');

/** The group's own logo: uploaded and taken away at once, apart from the form. */
export function LogoPiece({ row, mode, reload }: PieceProps<Group>) {
  const words = useText();
  const { t } = words;
  const sayProblem = useProblemText();
  const profile = useProfile();
  const input = useRef<HTMLInputElement>(null);
  // Stored apart from the form, so the row that is being edited does not know of it.
  const [stored, setStored] = useState<string | null>();
  const [issue, setIssue] = useState<ReturnType<typeof fileIssue>>();
  const taken = (logo: string | null) => {
    setStored(logo);
    reload();
  };
  const upload = useRequest('setGroupLogo', { done: ({ logo }) => taken(logo) });
  const remove = useRequest('removeGroupLogo', { done: () => taken(null) });
  if (!row) return null;
  const logo = stored === undefined ? row.whitelabel.logo : stored;
  const problem = upload.problem ?? remove.problem;
  if (!logo && mode === 'view') return null;
  return (
    <div className="logo-piece">
      {logo && <img className="logo" src={logo} alt={t('areas.groups.fields.whitelabel.logo')} />}
      {mode !== 'view' && !locked({ profile, row }) && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            accept={pictureTypes}
            aria-label={t('areas.groups.logo.upload')}
            onChange={(event) => {
              const image = event.target.files?.[0];
              event.target.value = '';
              const wrong = image && fileIssue(image);
              setIssue(wrong);
              if (image && !wrong) upload.run({ params: { id: row.id }, files: { image } });
            }}
          />
          <Button
            tone="plain"
            small
            icon="pi-upload"
            label={t('areas.groups.logo.upload')}
            loading={upload.running}
            onClick={() => {
              remove.reset();
              upload.reset();
              setIssue(undefined);
              input.current?.click();
            }}
          />
          {logo && (
            <Button
              tone="danger-quiet"
              small
              label={t('areas.groups.logo.remove')}
              loading={remove.running}
              onClick={() => remove.run({ params: { id: row.id } })}
            />
          )}
        </>
      )}
      {(issue || problem) && (
        <p className="field-issue" role="alert">
          {issue ? sayIssue(words, issue) : problem && sayProblem(problem)}
        </p>
      )}
    </div>
  );
}
