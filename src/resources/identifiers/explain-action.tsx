import type { Identifier } from '#models/identifiers.ts';
import { ExplainDialog } from '#src/views/access/explain-dialog.tsx';
import type { ActionProps } from '#src/views/area/resource.ts';

/** What the identifier does at a door that is chosen. */
export default function ExplainIdentifier({ row, close }: ActionProps<Identifier>) {
  return <ExplainDialog subject={{ identifier: row.id }} onClose={close} />;
}
