import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import type { User } from '#models/users.ts';
import { pictureTypes } from '#src/components/picture-file.ts';
import { initials, Portrait } from '#src/components/portrait.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { PieceProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';
import { mayDo } from '#src/views/area/areas.tsx';
import { useProfile } from '#src/views/profile-of.ts';
import { plainSubject } from '../subjects.ts';
import { closedToSelf } from './locks.ts';
import './users.css';

const ImageCropper = lazyPart(() => import('#src/components/image-cropper.tsx'));

/** The person's picture: shown, cropped and uploaded, taken away. It is stored at once, apart from the form. */
export function AvatarPiece({ row, reload, mode }: PieceProps<User>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const profile = useProfile();
  const [file, setFile] = useState<File>();
  // Stored apart from the form, so the row that is being edited does not know of it.
  const [stored, setStored] = useState<string | null>();
  const taken = (url: string | null) => {
    setFile(undefined);
    setStored(url);
    reload();
  };
  const upload = useRequest('setAvatar', { done: ({ avatar_url }) => taken(avatar_url) });
  const remove = useRequest('removeAvatar', { done: () => taken(null) });
  const dialog = useFileDialog(pictureTypes, t('areas.users.avatar.upload'), (chosen) => {
    upload.reset();
    setFile(chosen);
  });
  if (!row) return null;
  const url = stored === undefined ? row.avatar_url : stored;
  const mayChange = mode !== 'view' && !closedToSelf({ profile, row }) && mayDo(profile, { area: 'users', subject: plainSubject }, 'edit', row);
  return (
    <div className="avatar-piece">
      <Portrait url={url} name={row.name} fallback={initials(row.name)} size={72} />
      {mayChange && (
        <div className="avatar-buttons">
          {dialog.field}
          <Button tone="plain" small icon="pi-upload" label={t('areas.users.avatar.upload')} onClick={dialog.open} />
          {url && (
            <Button
              tone="danger-quiet"
              small
              label={t('areas.users.avatar.remove')}
              loading={remove.running}
              onClick={() => remove.run({ params: { id: row.id } })}
            />
          )}
          {remove.problem && (
            <p className="field-issue" role="alert">
              {sayProblem(remove.problem)}
            </p>
          )}
        </div>
      )}
      {file && (
        <Suspense>
          <ImageCropper
            file={file}
            busy={upload.running}
            problem={upload.problem ? sayProblem(upload.problem) : undefined}
            onClose={() => setFile(undefined)}
            onDone={(square) => upload.run({ params: { id: row.id }, body: square, files: { image: file } })}
          />
        </Suspense>
      )}
    </div>
  );
}
