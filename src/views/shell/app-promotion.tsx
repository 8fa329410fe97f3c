import { useEffect, useRef } from 'react';
import type { PendingDialog } from '#machines/alerts/alerts.machine.ts';
import type { Dialog } from '#machines/alerts/dialog.ts';
import { useTurn } from '#src/components/above-all.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { QrCode } from '#src/components/qr-code.tsx';
import { useText } from '#src/components/text.ts';
import { useAlerts } from '../system.ts';
import './app-promotion.css';

function Offer({ dialog }: { dialog: Dialog }) {
  const { t } = useText();
  const alerts = useAlerts();
  const foot = useRef<HTMLDivElement>(null);
  // Nobody asked for it: a key pressed on the way to something else opens no link.
  useEffect(() => foot.current?.querySelector('button')?.focus(), []);
  const { title, text, actions, width } = dialog;
  const link = String(text.params?.['link'] ?? '');
  const buttons = (
    <div ref={foot} className="app-answers">
      {actions.map(({ action, label, tone }) => (
        <Button key={action} label={t(label.key)} tone={tone} onClick={() => alerts.send({ type: 'dialog.answer', action })} />
      ))}
    </div>
  );
  return (
    <Modal title={title && t(title.key)} width={width} onDismiss={() => alerts.send({ type: 'dialog.dismiss' })} footer={buttons}>
      <p>{t(text.key)}</p>
      <QrCode text={link} label={t('interface.app.code', { link })} />
      <a className="app-link" href={link} target="_blank" rel="noreferrer">
        {t('interface.app.open')}
      </a>
    </Modal>
  );
}

/** The offer of the mobile app: a code for a phone's camera, and its link for whoever reads this on one (clause DIALOG-15). */
export default function AppPromotion({ pending }: { pending: PendingDialog }) {
  return useTurn() ? <Offer dialog={pending.dialog} /> : null;
}
