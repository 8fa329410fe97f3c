import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';

/** This console was to sound and could not: said across the top, with the press that helps. */
export function SoundBanner({ onArm, onDismiss }: { onArm: () => void; onDismiss?: (() => void) | undefined }) {
  const { t } = useText();
  return (
    <section className="sound-banner" role="alert">
      <i className="pi pi-volume-off" aria-hidden="true" />
      <span>{t('notifications.sound.off')}</span>
      <Button small icon="pi-volume-up" label={t('notifications.sound.arm')} onClick={onArm} />
      {onDismiss && (
        <button type="button" className="link-button" onClick={onDismiss}>
          {t('notifications.sound.dismiss')}
        </button>
      )}
    </section>
  );
}
