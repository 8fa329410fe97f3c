import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { allLicensed, type LicenceInfo } from '#models/licence-info.ts';
import { beyondOwn, hasFeature, previewFeatures, type Viewpoint, withFeature } from '#models/preview.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useText } from '#src/components/text.ts';
import { useOwnProfile } from '../profile-of.ts';
import { usePreview, useViewAs } from '../system.ts';
import './preview.css';

interface PreviewDialogProps {
  role: Viewpoint['role'];
  /** What is licensed in the preview that runs already. */
  licences?: LicenceInfo;
  close: () => void;
}

/** Asks what is to be licensed, and views the console as a role. */
export default function PreviewDialog({ role, licences: running = allLicensed, close }: PreviewDialogProps) {
  const { t } = useText();
  const own = useOwnProfile();
  const viewAs = useViewAs();
  const isRunning = usePreview() !== undefined;
  const navigate = useNavigate();
  const [licences, setLicences] = useState(running);
  const beyond = beyondOwn(own, role);
  const start = (): void => {
    close();
    viewAs({ role, licences });
    if (!isRunning) void navigate('/home');
  };
  return (
    <Modal
      title={t('shell.preview.title', { name: role.name })}
      onDismiss={close}
      footer={
        <>
          <Button tone="plain" label={t('interface.cancel')} onClick={close} />
          <Button icon="pi-eye" label={t(isRunning ? 'shell.preview.apply' : 'shell.preview.start')} onClick={start} />
        </>
      }
    >
      <p>{t('shell.preview.what')}</p>
      {beyond > 0 && <p className="quiet">{t('shell.preview.beyond', { count: beyond })}</p>}
      <fieldset className="preview-licences">
        <legend>{t('shell.preview.licences')}</legend>
        {previewFeatures.map((feature) => {
          const isOwn = hasFeature(own.features, feature);
          return (
            <label key={feature} className="field-flag">
              <input
                type="checkbox"
                className="check"
                checked={isOwn && hasFeature(licences, feature)}
                disabled={!isOwn}
                onChange={({ target }) => setLicences(withFeature(licences, feature, target.checked))}
              />
              <span>{t(`shell.preview.features.${feature}`)}</span>
            </label>
          );
        })}
      </fieldset>
    </Modal>
  );
}
