import { useSelector } from '@xstate/react';
import { Suspense, useState } from 'react';
import type { PreviewActor } from '#machines/preview.machine.ts';
import { Button } from '#src/components/button.tsx';
import { lazyPart } from '#src/components/lazy-part.ts';
import { useText } from '#src/components/text.ts';
import './preview.css';

const PreviewDialog = lazyPart(() => import('./preview-dialog.tsx'));

/** The console is not one's own at the moment: as whom one sees it, and the way back, over everything else. */
export function PreviewBanner({ preview }: { preview: PreviewActor }) {
  const { t } = useText();
  const { role, licences } = useSelector(preview, ({ context }) => context.viewpoint);
  const [isChanging, setChanging] = useState(false);
  return (
    <section className="preview-banner" role="status" aria-label={t('shell.preview.label')}>
      <i className="pi pi-eye" aria-hidden="true" />
      <span>{t('shell.preview.banner', { name: role.name })}</span>
      <span className="preview-ways">
        <button type="button" className="link-button" onClick={() => setChanging(true)}>
          {t('shell.preview.licences')}
        </button>
        <Button small label={t('shell.preview.stop')} onClick={() => preview.send({ type: 'preview.stop' })} />
      </span>
      {isChanging && (
        <Suspense>
          <PreviewDialog role={role} licences={licences} close={() => setChanging(false)} />
        </Suspense>
      )}
    </section>
  );
}
