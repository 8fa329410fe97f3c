import { lazyPart } from '#src/components/lazy-part.ts';
import type { z } from 'zod';
import { isGenerated } from '#models/identifier-value.ts';
import { type Identifier, identifiers } from '#models/identifiers.ts';
import { hasPermission } from '#models/permissions.ts';
import type { Profile } from '#models/profile.ts';
import { passTypes } from '#models/wallet.ts';
import type { Facts } from '#src/views/area/resource.ts';
import { mayMoveIdentifier } from '#src/views/identifiers/life.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { defineResource } from './define-resource.ts';
import { IdentifierAside } from './identifiers/aside.tsx';
import { CardLead } from './identifiers/card-lead.tsx';
import { LimitsCell, NameCell, OwnerCell, StateCell, UsedCell, ValueCell } from './identifiers/cells.tsx';
import { LocksField } from './identifiers/locks-field.tsx';
import { PhotoPiece } from './identifiers/photo-piece.tsx';
import { TypeField } from './identifiers/type-field.tsx';
import { ValueField } from './identifiers/value-field.tsx';

const ExplainDialog = lazyPart(() => import('./identifiers/explain-action.tsx'));
const TransferAction = lazyPart(() => import('./identifiers/transfer-action.tsx'));
const CodeDialog = lazyPart(() => import('./identifiers/code-dialog.tsx'));
const WalletDialog = lazyPart(() => import('./identifiers/wallet-dialog.tsx').then(({ IdentifierPass }) => ({ default: IdentifierPass })));
const dialogs = () => import('./identifiers/life-dialogs.tsx');
const RevokeDialog = lazyPart(() => dialogs().then(({ RevokeDialog: dialog }) => ({ default: dialog })));
const RestoreDialog = lazyPart(() => dialogs().then(({ RestoreDialog: dialog }) => ({ default: dialog })));
const LostDialog = lazyPart(() => dialogs().then(({ LostDialog: dialog }) => ({ default: dialog })));
const FoundDialog = lazyPart(() => dialogs().then(({ FoundDialog: dialog }) => ({ default: dialog })));

type Draft = z.infer<(typeof identifiers)['write']>;
type Known = Facts<Draft, Identifier>;
const isGuest = ({ draft }: Known): boolean => draft.owner_type === 'guest';
const inPeriod = ({ draft }: Known): boolean => draft.period_restrict_active;

const mayEdit = (profile: Profile): boolean => hasPermission(actorOf(profile), 'can_edit_identifiers');
/** It goes from one person to another; a guest's key and one issued to a telephone do not. */
const mayTransfer = (row: Identifier, profile: Profile): boolean =>
  mayEdit(profile) &&
  hasPermission(actorOf(profile), 'can_edit_all_users') &&
  row.owner !== null &&
  row.owner_type === 'owner' &&
  row.type !== 'ukey2';
/** Whoever has it reports it lost; all else is for those who change identifiers. */
const mayLose = (row: Identifier, profile: Profile): boolean => mayEdit(profile) || row.owner?.id === profile.id;

export default defineResource({
  model: identifiers,
  icon: 'pi-key',
  columns: [
    { key: 'name', cell: NameCell, shows: ['type'], tall: true },
    { key: 'value', cell: ValueCell, width: '12%' },
    { key: 'owner', cell: OwnerCell, shows: ['guest_type', 'domain'], width: '14%' },
    { key: 'state', cell: StateCell, width: '12%' },
    {
      key: 'period_restrict_to',
      cell: LimitsCell,
      shows: ['period_restrict_from', 'passes_count', 'passes_max_count'],
      width: '15%',
      givesWay: 'tablet',
    },
    { key: 'last_used_at', cell: UsedCell },
    { key: 'type', extra: true },
    { key: 'description', extra: true },
    { key: 'owner_type', extra: true },
    { key: 'created_at', extra: true },
    { key: 'updated_at', extra: true },
  ],
  form: [
    {
      section: 'general',
      lead: CardLead,
      fields: [
        { key: 'type', widget: TypeField, locked: ({ row }) => row !== null, changes: () => ({ value: '' }) },
        { key: 'name' },
        { key: 'value', widget: ValueField, reads: true, show: ({ draft, row }) => row !== null || !isGenerated(draft.type) },
        { key: 'description' },
        { key: 'is_active', wide: true },
      ],
    },
    { section: 'photo', show: ({ draft }) => draft.type === 'face', piece: PhotoPiece },
    {
      section: 'owner',
      fields: ['owner_type', { key: 'guest_type', show: isGuest }, 'owner', { key: 'domain', show: (facts) => isGuest(facts) || !facts.draft.owner }],
    },
    { section: 'access', fields: ['access_rules', { key: 'lock_numbers', widget: LocksField, reads: true }] },
    {
      section: 'limits',
      fields: [
        { key: 'period_restrict_active', wide: true },
        { key: 'period_restrict_from', show: inPeriod },
        { key: 'period_restrict_to', show: inPeriod },
        { key: 'passes_restrict_active', wide: true },
        { key: 'passes_max_count', show: ({ draft }) => draft.passes_restrict_active },
      ],
    },
  ],
  actions: [
    { key: 'explain', icon: 'pi-question-circle', dialog: ExplainDialog },
    { key: 'code', icon: 'pi-qrcode', show: (row) => row.type === 'qr' || row.url !== null, dialog: CodeDialog },
    { key: 'wallet', icon: 'pi-wallet', show: ({ type }) => passTypes.has(type), dialog: WalletDialog },
    { key: 'transfer', icon: 'pi-arrow-right-arrow-left', show: mayTransfer, dialog: TransferAction },
    {
      key: 'lost',
      icon: 'pi-flag',
      show: (row, profile) => mayLose(row, profile) && mayMoveIdentifier(row, 'lose'),
      dialog: LostDialog,
    },
    {
      key: 'found',
      icon: 'pi-check-circle',
      show: (row, profile) => mayEdit(profile) && mayMoveIdentifier(row, 'find'),
      dialog: FoundDialog,
    },
    {
      key: 'revoke',
      icon: 'pi-ban',
      show: (row, profile) => mayEdit(profile) && mayMoveIdentifier(row, 'revoke'),
      dialog: RevokeDialog,
    },
    {
      key: 'restore',
      icon: 'pi-undo',
      show: (row, profile) => mayEdit(profile) && mayMoveIdentifier(row, 'restore'),
      dialog: RestoreDialog,
    },
  ],
  // One issued to a telephone is revoked and stays (clause IDENT-13).
  undeletable: ({ type }) => type === 'ukey2',
  slots: { aside: IdentifierAside },
});
