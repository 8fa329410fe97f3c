import { lazyPart } from '#src/components/lazy-part.ts';
import { hasPermission } from '#models/permissions.ts';
import { ukey2 } from '#models/ukey2.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { defineResource } from './define-resource.ts';
import { UsedCell } from './identifiers/cells.tsx';
import { KeyStateCell, PhoneCell } from './ukey2/cells.tsx';

const ActivationDialog = lazyPart(() => import('./ukey2/activation-dialog.tsx'));
const RevokeDialog = lazyPart(() => import('./ukey2/revoke-dialog.tsx'));

export default defineResource({
  model: ukey2,
  icon: 'pi-mobile',
  editor: 'dialog',
  columns: [
    'name',
    { key: 'owner', width: '22%' },
    { key: 'state', cell: KeyStateCell, width: '16%' },
    { key: 'phone', cell: PhoneCell, width: '20%' },
    { key: 'last_used_at', cell: UsedCell },
    { key: 'activated_at', extra: true },
    { key: 'description', extra: true },
    { key: 'created_at', extra: true },
  ],
  form: [
    {
      section: 'general',
      fields: [
        { key: 'owner', wide: true, locked: ({ row }) => row !== null },
        { key: 'name', wide: true },
        { key: 'description', wide: true },
      ],
    },
  ],
  actions: [
    {
      key: 'code',
      icon: 'pi-qrcode',
      show: (row, profile) => row.activated_at === null && row.revoked_at === null && hasPermission(actorOf(profile), 'can_issue_ukey2'),
      dialog: ActivationDialog,
    },
    {
      key: 'revoke',
      icon: 'pi-ban',
      show: (row, profile) => row.revoked_at === null && hasPermission(actorOf(profile), 'can_revoke_ukey2'),
      dialog: RevokeDialog,
    },
  ],
});
