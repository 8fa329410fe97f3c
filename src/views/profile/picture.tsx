import { Suspense, useState } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { Button } from '#src/components/button.tsx';
import { useFileDialog } from '#src/components/file-dialog.tsx';
import { pictureTypes } from '#src/components/picture-file.ts';
import { initials, Portrait } from '#src/components/portrait.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useProfile } from '../profile-of.ts';
import { useAlerts, useSession } from '../system.ts';

const ImageCropper = lazyPart(() => import('#src/components/image-cropper.tsx'));

/** The person's picture: chosen as a file, cropped to a square, taken away again. */
export function Picture({ readOnly }: { readOnly: boolean }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const { id, name, avatar_url } = useProfile();
  const alerts = useAlerts();
  const session = useSession();
  const [file, setFile] = useState<File | null>(null);
  const changed = (): void => {
    setFile(null);
    session.send({ type: 'profile.stale' });
  };
  const upload = useRequest('setAvatar', { done: changed });
  const removal = useRequest('removeAvatar', {
    done: changed,
    failed: (problem) => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } }),
  });
  const dialog = useFileDialog(pictureTypes, t('interface.profile.change_picture'), (chosen) => {
    upload.reset();
    setFile(chosen);
  });
  return (
    <div className="profile-picture">
      <Portrait url={avatar_url} name={name} fallback={initials(name)} size={72} />
      {!readOnly && (
        <div className="stack picture-acts">
          <div className="row">
            <Button label={t('interface.profile.change_picture')} icon="pi-camera" tone="plain" onClick={dialog.open} />
            {avatar_url && (
              <Button
                label={t('interface.profile.remove_picture')}
                tone="danger-quiet"
                loading={removal.running}
                onClick={() => removal.run({ params: { id } })}
              />
            )}
          </div>
          <span className="quiet small">{t('interface.profile.picture_hint')}</span>
        </div>
      )}
      {dialog.field}
      {file && (
        <Suspense fallback={null}>
          <ImageCropper
            file={file}
            busy={upload.running}
            problem={upload.problem ? sayProblem(upload.problem) : undefined}
            onDone={(square) => upload.run({ params: { id }, body: square, files: { image: file } })}
            onClose={() => setFile(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
