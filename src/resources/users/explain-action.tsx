import type { User } from '#models/users.ts';
import { ExplainDialog } from '#src/views/access/explain-dialog.tsx';
import type { ActionProps } from '#src/views/area/resource.ts';

/** What the person's identifiers do at a door that is chosen. */
export default function ExplainUser({ row, close }: ActionProps<User>) {
  return <ExplainDialog subject={{ user: row.id }} onClose={close} />;
}
