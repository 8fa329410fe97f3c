import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { holds, may } from '#models/permissions.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { useText } from '#src/components/text.ts';
import { maySee } from '../area/areas.tsx';
import { firstRows } from '../home/use-rows.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { WalletCard } from '../wallet/wallet-card.tsx';
import { IntegrationLines } from './integration-lines.tsx';
import './integrations.css';

/** Integrations have no list of their own (INTG-04): all that one may see, those of the project and of its groups. */
function Integrations() {
  const { t } = useText();
  const actor = actorOf(useProfile());
  const query = useMemo(() => firstRows(100), []);
  const mayAdd = may(actor, 'create', 'integrations') && holds(actor, 'can_change_project_settings');
  return (
    <section className="card settings-card" aria-labelledby="settings-integrations">
      <h2 id="settings-integrations">{t('areas.integrations.title')}</h2>
      <IntegrationLines query={query} add={mayAdd ? '/integration/add' : null} whose />
    </section>
  );
}

/** What holds for the whole project. */
export function GeneralSettingsPage() {
  const { t } = useText();
  const profile = useProfile();
  usePageTitle(t('interface.menu.general-settings'));
  const settings = holds(actorOf(profile), 'can_view_project_settings', 'can_change_project_settings');
  const [integrations, markers] = [maySee(profile, 'integrations'), maySee(profile, 'markers')];
  return (
    <div className="settings-page">
      {integrations && <Integrations />}
      {markers && (
        <section className="card settings-card" aria-labelledby="settings-markers">
          <h2 id="settings-markers">{t('areas.markers.title')}</h2>
          <Link className="p-button p-component p-button-outlined" to="/markers">
            <span className="p-button-label">{t('areas.markers.title')}</span>
          </Link>
        </section>
      )}
      {settings && <WalletCard />}
      {!integrations && !markers && !settings && <EmptyState icon="pi-cog" text={t('list.none')} />}
    </div>
  );
}
