import type { Identifier } from '#models/identifiers.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { TransferDialog } from '#src/views/identifiers/transfer-dialog.tsx';

/** Gives the identifier to somebody else. */
export default function TransferAction({ row, close, reload }: ActionProps<Identifier>) {
  if (!row.owner) return null;
  const done = () => {
    reload();
    close();
  };
  return <TransferDialog identifier={{ id: row.id, name: row.name }} owner={row.owner} onDone={done} onClose={close} />;
}
