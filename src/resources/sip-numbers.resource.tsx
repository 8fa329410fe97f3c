import { lazyPart } from '#src/components/lazy-part.ts';
import type { z } from 'zod';
import { hasPermission } from '#models/permissions.ts';
import { type SipNumber, sipNumbers } from '#models/sip-numbers.ts';
import type { Facts } from '#src/views/area/resource.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { defineResource } from './define-resource.ts';
import { ForwardCell, NumberCell, OwnerCell, StateCell } from './sip-numbers/cells.tsx';
import { NumberTools } from './sip-numbers/number-tools.tsx';
import { onlyFree } from './sip-numbers/only-free.ts';
import { NumberPasswordField } from './sip-numbers/password-field.tsx';

const ActivationDialog = lazyPart(() => import('./sip-numbers/activation-dialog.tsx'));

type Draft = z.infer<(typeof sipNumbers)['write']>;
type Known = Facts<Draft, SipNumber>;
const marks = ({ profile }: Pick<Known, 'profile'>): boolean => hasPermission(actorOf(profile), 'can_mark_sip_numbers_system');
/** A number of the system is changed by those who may mark such. */
const guarded = (facts: Known): boolean => facts.row?.is_system === true && !marks(facts);
/** One owner at most: with one chosen the others are not asked for. */
const unlessOwned =
  (...others: ('user' | 'device' | 'domain')[]) =>
  ({ draft }: Known): boolean =>
    others.every((other) => !draft[other]);

export default defineResource({
  model: sipNumbers,
  icon: 'pi-hashtag',
  columns: [
    { key: 'number', cell: NumberCell, shows: ['name'], tall: true },
    { key: 'owner_info', cell: OwnerCell, width: '34%' },
    { key: 'is_active', cell: StateCell, shows: ['is_reserved'], sort: 'is_active' },
    { key: 'forward_mode', cell: ForwardCell, width: '18%' },
    { key: 'name', extra: true },
    { key: 'has_password', extra: true },
    { key: 'created_at', extra: true },
    { key: 'updated_at', extra: true },
  ],
  form: [
    {
      section: 'general',
      fields: [
        { key: 'number', locked: guarded },
        { key: 'name', locked: guarded },
        { key: 'password', widget: NumberPasswordField, wide: true, locked: guarded },
      ],
    },
    {
      section: 'owner',
      fields: [
        { key: 'user', locked: guarded, show: unlessOwned('device', 'domain') },
        { key: 'device', locked: guarded, show: unlessOwned('user', 'domain') },
        { key: 'domain', locked: guarded, show: unlessOwned('user', 'device') },
      ],
    },
    {
      section: 'forwarding',
      fields: [
        { key: 'forward_mode', locked: guarded },
        { key: 'forward_numbers', locked: guarded, show: ({ draft }) => draft.forward_mode === 'manual' },
        { key: 'picked_numbers', locked: guarded, only: onlyFree, show: ({ draft }) => draft.forward_mode === 'picked' },
      ],
    },
    {
      section: 'state',
      fields: [
        {
          key: 'is_active',
          wide: true,
          locked: (facts) => guarded(facts) || (facts.row !== null && !hasPermission(actorOf(facts.profile), 'can_activate_sip_numbers')),
        },
        { key: 'is_reserved', wide: true, locked: guarded },
        { key: 'is_system', wide: true, locked: (facts) => !marks(facts) },
      ],
    },
  ],
  actions: [
    {
      key: 'activate',
      icon: 'pi-play',
      show: (row, profile) => !row.is_active && hasPermission(actorOf(profile), 'can_activate_sip_numbers') && (!row.is_system || marks({ profile })),
      dialog: ActivationDialog,
    },
    {
      key: 'deactivate',
      icon: 'pi-pause',
      show: (row, profile) => row.is_active && hasPermission(actorOf(profile), 'can_activate_sip_numbers') && (!row.is_system || marks({ profile })),
      dialog: ActivationDialog,
    },
  ],
  slots: { toolbar: NumberTools },
});
