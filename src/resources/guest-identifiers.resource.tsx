import { lazyPart } from '#src/components/lazy-part.ts';
import type { z } from 'zod';
import { type GuestIdentifier, guestIdentifiers } from '#models/guest-access.ts';
import { may } from '#models/permissions.ts';
import { passTypes } from '#models/wallet.ts';
import type { Facts } from '#src/views/area/resource.ts';
import { seesOthers } from '#src/views/area/areas.tsx';
import { actorOf } from '#src/views/profile-of.ts';
import { defineResource } from './define-resource.ts';
import { GuestCell, GuestLimitsCell, ShareCell, VisitCell } from './guest-identifiers/cells.tsx';
import { LimitsNote } from './guest-identifiers/limits-note.tsx';
import { GuestPeriodField } from './guest-identifiers/period-field.tsx';
import { SharedRulesField } from './guest-identifiers/shared-rules-field.tsx';
import { StateCell, UsedCell } from './identifiers/cells.tsx';
import { ValueField } from './identifiers/value-field.tsx';

const CodeDialog = lazyPart(() => import('./identifiers/code-dialog.tsx'));
const WalletDialog = lazyPart(() => import('./identifiers/wallet-dialog.tsx').then(({ GuestPass }) => ({ default: GuestPass })));
const RevokeGuest = lazyPart(() => import('./guest-identifiers/revoke-dialog.tsx'));

type Draft = z.infer<(typeof guestIdentifiers)['write']>;
type Known = Facts<Draft, GuestIdentifier>;
const typed = new Set<string>(['license_plate', 'card']);

export default defineResource({
  model: guestIdentifiers,
  icon: 'pi-user-plus',
  editor: 'dialog',
  dialogWidth: 'wide',
  columns: [
    { key: 'name', cell: GuestCell, shows: ['guestType'], tall: true },
    { key: 'type', extra: true },
    { key: 'visit', cell: VisitCell, width: '11%' },
    { key: 'state', cell: StateCell, width: '11%' },
    { key: 'validatePeriod', cell: GuestLimitsCell, shows: ['passes_count', 'passLimit'], width: '18%' },
    { key: 'host', width: '12%', givesWay: 'tablet' },
    { key: 'last_used_at', cell: UsedCell, extra: true },
    { key: 'url', cell: ShareCell, width: '14%' },
    { key: 'domain', extra: true },
    { key: 'selectedAccessRules', extra: true },
    { key: 'created_at', extra: true },
  ],
  form: [
    {
      section: 'guest',
      fields: [
        'name',
        'guestType',
        { key: 'type', locked: ({ row }: Known) => row !== null, changes: () => ({ value: '' }) },
        {
          key: 'value',
          widget: ValueField,
          reads: true,
          show: ({ draft, row }) => typed.has(draft.type) || (row !== null && draft.type === 'access_code'),
        },
        { key: 'keyMessage', wide: true },
      ],
    },
    {
      section: 'doors',
      fields: [
        { key: 'domain', wide: true, show: ({ profile }) => seesOthers(profile, 'users') },
        { key: 'selectedAccessRules', widget: SharedRulesField, wide: true },
      ],
    },
    {
      section: 'limits',
      lead: LimitsNote,
      fields: [
        { key: 'restrictPeriod', wide: true },
        { key: 'validatePeriod', widget: GuestPeriodField, wide: true, reads: true, show: ({ draft }) => draft.restrictPeriod },
        { key: 'restrictPassCount', wide: true },
        { key: 'passLimit', show: ({ draft }) => draft.restrictPassCount },
      ],
    },
  ],
  actions: [
    { key: 'code', icon: 'pi-qrcode', show: (row) => row.type === 'qr', dialog: CodeDialog },
    { key: 'wallet', icon: 'pi-wallet', show: ({ type }) => passTypes.has(type), dialog: WalletDialog },
    {
      key: 'revoke',
      icon: 'pi-ban',
      show: (row, profile) =>
        row.revoked_at === null && may(actorOf(profile), 'edit', 'guest-identifiers', { id: row.id, created_by: row.created_by }),
      dialog: RevokeGuest,
    },
  ],
});
