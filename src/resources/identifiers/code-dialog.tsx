import type { Identifier } from '#models/identifiers.ts';
import { Button } from '#src/components/button.tsx';
import { CodeLink } from '#src/components/code-link.tsx';
import { Modal } from '#src/components/modal.tsx';
import { QrCode } from '#src/components/qr-code.tsx';
import { useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { downloadPng, downloadSvg } from './code-file.ts';

type Coded = Pick<Identifier, 'id' | 'name' | 'type' | 'value' | 'url'>;

/** What its code says: what readers are shown, or the address of the guest's page. */
const codeOf = ({ type, value, url }: Coded): string => (type === 'qr' ? value : url ? new URL(url, location.origin).href : value);

/** The QR code of an identifier, to be shown, kept as a file, or passed on as a link. */
export default function CodeDialog({ row, close }: ActionProps<Coded>) {
  const { t } = useText();
  const code = codeOf(row);
  const isLink = code.startsWith('http');
  return (
    <Modal
      title={row.name}
      onDismiss={close}
      footer={
        <>
          <Button
            tone="quiet"
            icon="pi-download"
            label="PNG"
            aria-label={t('areas.identifiers.code.png')}
            onClick={() => void downloadPng(code, row.name)}
          />
          <Button
            tone="quiet"
            icon="pi-download"
            label="SVG"
            aria-label={t('areas.identifiers.code.svg')}
            onClick={() => downloadSvg(code, row.name)}
          />
          <Button tone="plain" label={t('list.close')} onClick={close} />
        </>
      }
    >
      <p className="quiet">{t(isLink ? 'areas.identifiers.code.page' : 'areas.identifiers.code.reader')}</p>
      <QrCode text={code} label={t('areas.identifiers.code.of', { name: row.name })} />
      {isLink && <CodeLink href={code} label={t('areas.identifiers.code.link')} />}
    </Modal>
  );
}
