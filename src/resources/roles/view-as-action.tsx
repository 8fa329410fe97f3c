import type { Role } from '#models/roles.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import PreviewDialog from '#src/views/preview/preview-dialog.tsx';

/** Views the console as this role. */
export default function ViewAsAction({ row, close }: ActionProps<Role>) {
  return <PreviewDialog role={{ ...row, available_roles: row.available_roles.map(({ id }) => id) }} close={close} />;
}
