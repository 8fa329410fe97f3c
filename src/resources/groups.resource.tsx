import { lazyPart } from '#src/components/lazy-part.ts';
import { groups } from '#models/groups.ts';
import { licensed } from '#models/licence-info.ts';
import { hasPermission, may } from '#models/permissions.ts';
import { actorOf } from '#src/views/profile-of.ts';
import { AreaLink } from './area-link.tsx';
import { defineResource } from './define-resource.ts';
import { HolidaysField } from './groups/holidays-field.tsx';
import { LicenceFeatures, LicenceStanding } from './groups/licence-piece.tsx';
import { TrunksPiece } from './groups/trunks-piece.tsx';
import { IntegrationsPiece } from './groups/integrations-piece.tsx';
import { LogoPiece } from './groups/logo-piece.tsx';
import { licenceLocked, mayGenerate, mayManage } from './groups/may-manage.ts';
import { PathCell } from './groups/path-cell.tsx';
import { Subgroups } from './groups/subgroups.tsx';
import { TreeView } from './groups/tree-view.tsx';
import { ZoneNameField } from './groups/zone-name-field.tsx';
import { changesAccess, membershipEffect } from './membership-effect.tsx';
import { onlyFree } from './sip-numbers/only-free.ts';
import { groupSubject } from './subjects.ts';

const GenerateDialog = lazyPart(() => import('./groups/generate-dialog.tsx'));

const general = mayManage('can_manage_own_group_general');
const accessOf = mayManage('can_manage_own_group_access_rules');
const forwarding = mayManage('can_manage_own_group_forward_settings');
const whitelabel = mayManage('can_manage_own_group_white_label');

/** Who sees integrations of groups at all. */
const integrators = ['can_manage_own_group_integrations', 'can_edit_descendant_groups', 'can_edit_all_groups'] as const;

export default defineResource({
  model: groups,
  icon: 'pi-sitemap',
  columns: [
    { key: 'name', cell: PathCell, shows: ['path'], tall: true },
    'domain_type_id',
    'logic_address',
    'users_count',
    'children_count',
    { key: 'parent_id', extra: true },
    { key: 'description', extra: true },
    { key: 'created_at', extra: true },
    'updated_at',
  ],
  filters: ['name', 'description', 'logic_address', 'domain_type_id', 'parent_id', 'users', 'created_at'],
  form: [
    {
      section: 'general',
      fields: [
        { key: 'name', locked: general },
        { key: 'domain_type_id', locked: general },
        { key: 'logic_address', locked: general },
        { key: 'parent_id', locked: mayManage(null) },
        { key: 'description', locked: general, wide: true },
      ],
    },
    { section: 'subgroups', piece: Subgroups, show: ({ row }) => row !== null },
    { section: 'users', fields: [{ key: 'users', wide: true, locked: mayManage('can_manage_own_group_users') }] },
    { section: 'devices', fields: [{ key: 'devices', wide: true, locked: mayManage('can_manage_own_group_devices') }] },
    {
      section: 'elevators',
      show: ({ profile }) => licensed('elevator', profile.features, profile.license_info),
      fields: [{ key: 'elevators', wide: true, locked: mayManage('can_manage_own_group_devices') }],
    },
    {
      section: 'access',
      fields: [
        { key: 'access_rules', wide: true, locked: accessOf },
        { key: 'time_zone_name', widget: ZoneNameField, locked: accessOf },
        { key: 'holidays', widget: HolidaysField, reads: true, wide: true, locked: accessOf },
      ],
    },
    { section: 'effect', piece: membershipEffect('groups'), show: changesAccess('groups') },
    {
      section: 'forwarding',
      show: ({ profile }) => licensed('sip', profile.features, profile.license_info),
      fields: [
        { key: 'sip_number', locked: forwarding, only: onlyFree },
        { key: 'forward_rules', locked: forwarding },
        { key: 'forward_settings', locked: forwarding, wide: true },
      ],
    },
    {
      section: 'trunks',
      show: ({ profile, row }) =>
        row !== null && licensed('sipTrunks', profile.features, profile.license_info) && may(actorOf(profile), 'view', 'sip-trunks'),
      piece: TrunksPiece,
    },
    { section: 'guests', fields: [{ key: 'guest_identifier_limits', locked: mayManage('can_manage_own_group_guest_access') }] },
    {
      section: 'integrations',
      show: ({ profile }) => hasPermission(actorOf(profile), ...integrators),
      lead: IntegrationsPiece,
      fields: [{ key: 'integrations', wide: true, locked: mayManage('can_manage_own_group_integrations') }],
    },
    {
      section: 'mails',
      show: ({ profile }) => may(actorOf(profile), 'view', 'mail-templates'),
      fields: [{ key: 'mail_templates', wide: true, locked: mayManage('can_manage_own_group_mail_templates') }],
    },
    { section: 'notifications', fields: [{ key: 'device_status_notify', locked: mayManage('can_manage_own_group_notifications') }] },
    {
      section: 'whitelabel',
      show: ({ profile }) => licensed('whiteLabel', profile.features, profile.license_info),
      lead: LogoPiece,
      fields: [{ key: 'whitelabel', locked: whitelabel }],
    },
    { section: 'wallet', fields: [{ key: 'apple_wallet', locked: whitelabel }] },
    {
      section: 'licence',
      show: ({ row }) => row !== null,
      lead: LicenceStanding,
      fields: [
        { key: 'licenseInfo.isEnabled', wide: true, locked: licenceLocked },
        { key: 'licenseInfo.notifications.period', locked: licenceLocked },
        { key: 'licenseInfo.notifications.notify_before', locked: licenceLocked },
        { key: 'licenseInfo.licenses', locked: licenceLocked },
        { key: 'licenseInfo.is_device_license_enabled', locked: licenceLocked },
        { key: 'licenseInfo.restrict_period', locked: licenceLocked },
        {
          key: 'licenseInfo.period',
          wide: true,
          locked: licenceLocked,
          show: ({ draft }) => draft.licenseInfo?.restrict_period === true,
        },
      ],
      piece: LicenceFeatures,
    },
  ],
  actions: [
    { key: 'add_below', icon: 'pi-plus', show: (_row, profile) => mayGenerate(profile), to: (row) => `/groups/add?parent_id=${row.id}` },
    { key: 'generate', icon: 'pi-clone', show: (_row, profile) => mayGenerate(profile), dialog: GenerateDialog },
  ],
  facts: ['users_count', 'children_count'],
  subject: groupSubject,
  slots: {
    list: { key: 'tree', icon: 'pi-sitemap', view: TreeView },
    toolbar: () => <AreaLink area="group-types" />,
  },
});
