import { lazyPart } from '#src/components/lazy-part.ts';
import { licensed } from '#models/licence-info.ts';
import { hasPermission } from '#models/permissions.ts';
import { isActivated, users } from '#models/users.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { mayDo, maySee } from '#src/views/area/areas.tsx';
import type { AnyRow } from '#src/views/area/resource.ts';
import type { Profile } from '#models/profile.ts';
import { defineResource } from './define-resource.ts';
import { unowned } from './identifiers/unowned.ts';
import { onlyFree } from './sip-numbers/only-free.ts';
import { plainSubject } from './subjects.ts';
import { anotherRole, closedToSelf, ownGroups, ownRecord } from './users/locks.ts';
import { AvatarPiece } from './users/avatar-piece.tsx';
import { ActivationCell, GroupsCell, MarkersCell, PersonCell, SeenCell } from './users/cells.tsx';
import { LicenceNote } from './users/licence-note.tsx';
import { MobileClients } from './users/mobile-clients.tsx';
import { UserAside } from './users/user-aside.tsx';
import { changesAccess, membershipEffect } from './membership-effect.tsx';
import { AreaLink } from './area-link.tsx';

const ExplainDialog = lazyPart(() => import('./users/explain-action.tsx'));
const PasswordDialog = lazyPart(() => import('./users/password-dialog.tsx'));
const SecondFactorDialog = lazyPart(() => import('./users/second-factor-dialog.tsx'));
const RegistrationDialog = lazyPart(() => import('./users/registration-dialog.tsx'));

const mayEdit = (profile: Profile, row: AnyRow): boolean => mayDo(profile, { area: 'users', subject: plainSubject }, 'edit', row);

export default defineResource({
  model: users,
  icon: 'pi-users',
  columns: [
    { key: 'name', cell: PersonCell, shows: ['email'], tall: true },
    { key: 'domains', cell: GroupsCell, width: '14.5%' },
    { key: 'role', sort: 'role', width: '12%' },
    { key: 'login', width: '12%', givesWay: 'desk' },
    { key: 'markers', cell: MarkersCell, width: '9.5%', givesWay: 'tablet' },
    { key: 'activated_at', cell: ActivationCell, width: '15%' },
    { key: 'last_seen_at', cell: SeenCell, width: '10%' },
    { key: 'email', extra: true },
    { key: 'description', extra: true },
    { key: 'elevator_access_disabled', extra: true },
    { key: 'created_at', extra: true },
    { key: 'updated_at', extra: true },
  ],
  filterPresets: {
    activated_at: [
      { words: 'areas.users.states.activated', rule: 'above', value: 0 },
      { words: 'areas.users.states.not_activated', rule: 'equals', value: 0 },
    ],
  },
  form: [
    {
      section: 'general',
      lead: AvatarPiece,
      fields: [
        { key: 'name', locked: closedToSelf },
        { key: 'login', locked: ownRecord },
        { key: 'email', locked: closedToSelf },
        { key: 'send_registration_link', show: ({ mode }) => mode === 'add' },
        { key: 'description', locked: closedToSelf },
      ],
    },
    {
      section: 'contact',
      fields: [
        { key: 'profile.phone', locked: closedToSelf },
        { key: 'profile.address', locked: closedToSelf },
      ],
    },
    {
      section: 'access',
      fields: [
        { key: 'role', locked: anotherRole },
        { key: 'domains', locked: (facts) => ownRecord(facts) || ownGroups(facts) },
        { key: 'access_rules', locked: ownRecord },
        { key: 'identifiers', only: unowned, locked: ({ profile }) => !hasPermission(actorOf(profile), 'can_edit_identifiers') },
        {
          key: 'sip_numbers',
          only: onlyFree,
          locked: ({ profile }) => !hasPermission(actorOf(profile), 'can_edit_sip_numbers'),
          show: ({ profile }) => licensed('sip', profile.features, profile.license_info),
        },
        { key: 'elevator_access_disabled', wide: true, locked: ownRecord, show: ({ profile }) => profile.features.elevator.is_enabled },
      ],
    },
    { section: 'effect', piece: membershipEffect('users'), show: changesAccess('users') },
    { section: 'console_effect', piece: membershipEffect('user-roles'), show: changesAccess('user-roles') },
    {
      section: 'markers',
      fields: [
        { key: 'markers', wide: true, locked: (facts) => ownRecord(facts) || !hasPermission(actorOf(facts.profile), 'can_apply_markers_to_user') },
      ],
    },
    {
      section: 'licences',
      lead: LicenceNote,
      fields: [{ key: 'license_info', locked: ({ profile }) => !hasPermission(actorOf(profile), 'can_manage_user_licenses') }],
      show: ({ row }) => row !== null,
    },
    { section: 'phones', piece: MobileClients, show: ({ row }) => row !== null },
  ],
  actions: [
    {
      key: 'explain',
      icon: 'pi-question-circle',
      show: (_row, profile) => maySee(profile, 'identifiers') && maySee(profile, 'devices'),
      dialog: ExplainDialog,
    },
    {
      key: 'registration_link',
      icon: 'pi-envelope',
      show: (row, profile) => Boolean(row.email) && !isActivated(row) && mayEdit(profile, row as unknown as AnyRow),
      dialog: RegistrationDialog,
    },
    {
      key: 'change_password',
      icon: 'pi-key',
      show: (row, profile) => row.id !== profile.id && mayEdit(profile, row as unknown as AnyRow),
      dialog: PasswordDialog,
    },
    {
      key: 'reset_second_factor',
      icon: 'pi-shield',
      show: (row, profile) => row.id !== profile.id && mayEdit(profile, row as unknown as AnyRow),
      dialog: SecondFactorDialog,
    },
  ],
  slots: { aside: UserAside, toolbar: () => <AreaLink area="markers" /> },
});
