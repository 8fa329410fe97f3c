import { useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useText } from '#src/components/text.ts';
import './call-picture.css';

/** Who stood at the door, small; pressed it is shown large. Addresses of pictures open for a while only: what does not open is not shown. */
export function CallPicture({ url, name }: { url: string; name: string }) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const [broken, setBroken] = useState<string | null>(null);
  if (url === broken) return null;
  return (
    <>
      <button type="button" className="call-thumb" aria-label={t('home.recent.show_picture', { name })} onClick={() => setOpen(true)}>
        <img src={url} alt="" loading="lazy" onError={() => setBroken(url)} />
      </button>
      {isOpen && (
        <Modal
          title={name}
          onDismiss={() => setOpen(false)}
          footer={<Button tone="plain" label={t('home.recent.close')} onClick={() => setOpen(false)} />}
        >
          <img className="call-picture" src={url} alt={t('home.recent.picture')} />
        </Modal>
      )}
    </>
  );
}
