import type { PhoneMirror } from '#machines/phone/mirror.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import type { Send } from './use-phone.ts';
import './phone.css';

/** Calls cannot be heard here, why, and the press that helps; nothing where they can. */
export function SoundNote({ sound, send }: { sound: PhoneMirror['sound']; send: Send }) {
  const { t } = useText();
  if (sound === 'armed') return null;
  return (
    <div className="phone-note" role="status">
      <i className="pi pi-volume-off" aria-hidden="true" />
      <span>{t(`phone.sound_note.${sound}`)}</span>
      <Button small label={t('phone.arm')} onClick={() => send({ type: 'ringer.arm' })} />
    </div>
  );
}
