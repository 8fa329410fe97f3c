import { useState } from 'react';
import { mayUseApp } from '#models/profile.ts';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useProfile } from '../profile-of.ts';
import { useAlerts, useSession } from '../system.ts';

/** Where the mobile app is to be had, and whether it is offered after sign-in (clause AUTH-16); nothing where there is none for the person. */
export function AppOffer() {
  const { t } = useText();
  const profile = useProfile();
  const alerts = useAlerts();
  const session = useSession();
  const active = profile.profile.is_app_popup_active;
  const [wanted, setWanted] = useState(active);
  const request = useRequest('appPopup', {
    done: () => session.send({ type: 'profile.replace', profile: { ...profile, profile: { ...profile.profile, is_app_popup_active: wanted } } }),
    failed: (problem) => alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } }),
  });
  if (!mayUseApp(profile)) return null;
  return (
    <section className="card" aria-labelledby="app-title">
      <header className="card-head">
        <h2 id="app-title">{t('interface.app.title')}</h2>
      </header>
      <div className="card-body stack">
        <a href={profile.app_url ?? ''} target="_blank" rel="noreferrer">
          {t('interface.app.open')}
        </a>
        <label className="field-flag">
          <input
            type="checkbox"
            className="check"
            checked={request.running ? wanted : active}
            disabled={request.running}
            onChange={({ target }) => {
              setWanted(target.checked);
              request.run({ body: { is_app_popup_active: target.checked } });
            }}
          />
          <span>{t('interface.app.offer')}</span>
        </label>
      </div>
    </section>
  );
}
