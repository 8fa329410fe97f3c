import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { ProblemNote } from '#src/components/problem-note.tsx';
import { useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

type Named = { id: string; name: string };

function WalletDialog({ call, row, close }: ActionProps<Named> & { call: 'identifierPass' | 'guestPass' }) {
  const { t } = useText();
  const request = useRequest(call);
  return (
    <Modal
      title={t('areas.identifiers.wallet.title', { name: row.name })}
      onDismiss={close}
      footer={
        <>
          <Button tone="plain" label={t('list.close')} onClick={close} />
          <Button
            icon="pi-download"
            label={t('areas.identifiers.wallet.download')}
            loading={request.running}
            onClick={() => request.run({ params: { id: row.id } })}
          />
        </>
      }
    >
      <div className="stack">
        <p>{t('areas.identifiers.wallet.does')}</p>
        <ProblemNote problem={request.problem} />
      </div>
    </Modal>
  );
}

/** The wallet pass of an identifier, as a file. */
export const IdentifierPass = (props: ActionProps<Named>) => <WalletDialog call="identifierPass" {...props} />;
/** The wallet pass of a guest's key. */
export const GuestPass = (props: ActionProps<Named>) => <WalletDialog call="guestPass" {...props} />;
