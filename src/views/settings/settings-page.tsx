import { type ComponentType, useMemo } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Profile } from '#models/profile.ts';
import { companyCodes } from '#models/project-settings.ts';
import { licensed } from '#models/licence-info.ts';
import { hasPermission, may } from '#models/permissions.ts';
import { useText } from '#src/components/text.ts';
import { maySee } from '../area/areas.tsx';
import { NoAccess } from '../area/no-access.tsx';
import { firstRows } from '../home/use-rows.ts';
import { IntegrationLines } from '../integrations/integration-lines.tsx';
import { actorOf, useProfile } from '../profile-of.ts';
import { NotFound } from '../session/not-found.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { WalletCard } from '../wallet/wallet-card.tsx';
import { BrokerSection } from './broker.tsx';
import { GeneralSection } from './general.tsx';
import { MailSection } from './mail.tsx';
import { MobileSection } from './mobile.tsx';
import { RegistrationSection } from './registration.tsx';
import { SettingCard } from './setting-form.tsx';
import { SipSection } from './sip.tsx';
import { SmsSection } from './sms.tsx';
import { WhiteLabelSection } from './white-label.tsx';
import '../integrations/integrations.css';
import './settings.css';

/** Integrations have no list of their own (INTG-04): all that one may see, those of the project and of its groups. */
function Integrations() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  const query = useMemo(() => firstRows(100), []);
  const mayAdd = may(actor, 'create', 'integrations') && hasPermission(actor, 'can_change_project_settings');
  return (
    <SettingCard title={t('areas.integrations.title')}>
      <IntegrationLines query={query} add={mayAdd ? '/integration/add' : null} whose />
    </SettingCard>
  );
}

/** Markers have a list of their own. */
function Markers() {
  const { t } = useText();
  return (
    <SettingCard title={t('areas.markers.title')}>
      <p className="quiet">{t('areas.project-settings.markers_about')}</p>
      <Link className="p-button p-component p-button-outlined self-start" to="/markers">
        <span className="p-button-label">{t('areas.project-settings.open_markers')}</span>
      </Link>
    </SettingCard>
  );
}

/** Mail templates have a list of their own. */
function Templates() {
  const { t } = useText();
  return (
    <SettingCard title={t('areas.project-settings.sections.templates')}>
      <p className="quiet">{t('areas.project-settings.templates_about')}</p>
      <Link className="p-button p-component p-button-outlined self-start" to="/mail-templates">
        <span className="p-button-label">{t('areas.project-settings.open_templates')}</span>
      </Link>
    </SettingCard>
  );
}

/** Devices are brought back from the file of their backup in their own list. */
function DeviceBackup() {
  const { t } = useText();
  return (
    <SettingCard title={t('areas.project-settings.sections.device_backup')}>
      <p className="quiet">{t('areas.project-settings.device_backup_about')}</p>
      <Link className="p-button p-component p-button-outlined self-start" to="/devices">
        <span className="p-button-label">{t('areas.project-settings.open_devices')}</span>
      </Link>
    </SettingCard>
  );
}

interface Section {
  key: string;
  icon: `pi-${string}`;
  View: ComponentType;
  shown: (profile: Profile) => boolean;
}
const company = (profile: Profile): boolean => hasPermission(actorOf(profile), 'can_view_project_settings', ...companyCodes);
const settings = (profile: Profile): boolean => hasPermission(actorOf(profile), 'can_view_project_settings', 'can_change_project_settings');
const sections: readonly Section[] = [
  { key: 'general', icon: 'pi-sliders-h', View: GeneralSection, shown: settings },
  { key: 'registration', icon: 'pi-user-plus', View: RegistrationSection, shown: settings },
  { key: 'mail', icon: 'pi-envelope', View: MailSection, shown: settings },
  { key: 'sms', icon: 'pi-comment', View: SmsSection, shown: settings },
  { key: 'templates', icon: 'pi-file-edit', View: Templates, shown: (profile) => maySee(profile, 'mail-templates') },
  {
    key: 'sip',
    icon: 'pi-phone',
    View: SipSection,
    shown: (profile) => settings(profile) && licensed('sip', profile.features, profile.license_info),
  },
  { key: 'broker', icon: 'pi-server', View: BrokerSection, shown: settings },
  { key: 'mobile', icon: 'pi-mobile', View: MobileSection, shown: settings },
  { key: 'white-label', icon: 'pi-palette', View: WhiteLabelSection, shown: company },
  { key: 'wallet', icon: 'pi-wallet', View: WalletCard, shown: settings },
  { key: 'integrations', icon: 'pi-link', View: Integrations, shown: (profile) => maySee(profile, 'integrations') },
  {
    key: 'device-backup',
    icon: 'pi-upload',
    View: DeviceBackup,
    shown: (profile) => hasPermission(actorOf(profile), 'can_import_device_backup') && maySee(profile, 'devices'),
  },
  { key: 'markers', icon: 'pi-tags', View: Markers, shown: (profile) => hasPermission(actorOf(profile), 'can_view_markers', 'can_view_all_markers') },
];

/** What holds for the whole project: its sections at the side, one of them beside them; on a phone one after the other. */
export function SettingsPage() {
  const { t } = useText();
  const profile = useProfile();
  const { section: asked } = useParams();
  const open = sections.filter(({ shown }) => shown(profile));
  const section = asked === undefined ? open[0] : open.find(({ key }) => key === asked);
  const nameOf = (key: string): string => t(`areas.project-settings.sections.${key.replaceAll('-', '_')}`);
  usePageTitle(t('interface.menu.general-settings'), asked !== undefined && section ? nameOf(section.key) : undefined);
  if (!section) return asked === undefined || sections.some(({ key }) => key === asked) ? <NoAccess /> : <NotFound />;
  return (
    <div className="settings-page" data-index={asked === undefined}>
      <nav className="settings-nav" aria-label={t('interface.menu.general-settings')}>
        {open.map(({ key, icon }) => (
          <Link key={key} to={`/general-settings/${key}`} aria-current={key === section.key ? 'page' : undefined}>
            <i className={`pi ${icon}`} aria-hidden="true" />
            <span>{nameOf(key)}</span>
            <i className="pi pi-angle-right settings-more" aria-hidden="true" />
          </Link>
        ))}
      </nav>
      <div className="settings-section" key={section.key}>
        <Link className="settings-back" to="/general-settings">
          <i className="pi pi-angle-left" aria-hidden="true" />
          {t('areas.project-settings.all_sections')}
        </Link>
        <section.View />
      </div>
    </div>
  );
}
