import { type ReactNode, useMemo, useState } from 'react';
import { profileForm } from '#models/forms/profile.ts';
import { mayAct } from '#models/permissions.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { PasskeysCard } from '../passkeys/passkeys-card.tsx';
import { SecondFactorCard } from '../second-factor/second-factor-card.tsx';
import { useFabs } from '../shell/fabs.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useSession } from '../system.ts';
import { useForm } from '../use-form.ts';
import { AppOffer } from './app-offer.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Picture } from './picture.tsx';
import { AboutFields, ReadingFields } from './profile-form.tsx';
import { Sessions } from './sessions.tsx';
import './profile.css';

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="profile-section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What one is in the project; only an administrator changes it. */
function Facts() {
  const { t } = useText();
  const { login, role, domains, project } = useProfile();
  return (
    <dl className="card facts">
      <Fact label={t('interface.profile.login')}>{login}</Fact>
      <Fact label={t('interface.profile.role')}>{role?.name ?? t('interface.person.no_role')}</Fact>
      <Fact label={t('interface.profile.groups')}>{domains.map(({ name }) => name).join(', ') || t('interface.none')}</Fact>
      <Fact label={t('interface.profile.project')}>{project.name}</Fact>
    </dl>
  );
}

function Security() {
  const { t } = useText();
  const [changing, setChanging] = useState(false);
  return (
    <section className="card" aria-labelledby="security-title">
      <header className="card-head">
        <h2 id="security-title">{t('interface.profile.password')}</h2>
      </header>
      <div className="card-body stack">
        <p className="quiet">{t('interface.profile.password_hint')}</p>
        <Button label={t('interface.profile.change_password')} icon="pi-key" tone="plain" onClick={() => setChanging(true)} />
      </div>
      {changing && <ChangePassword onClose={() => setChanging(false)} />}
    </section>
  );
}

function Leaving() {
  const { t } = useText();
  const [asking, setAsking] = useState(false);
  return (
    <section className="card" aria-labelledby="leaving-title">
      <header className="card-head">
        <h2 id="leaving-title">{t('interface.profile.danger')}</h2>
      </header>
      <div className="card-body stack">
        <p className="quiet">{t('interface.profile.delete_hint')}</p>
        <Button label={t('interface.profile.delete_account')} icon="pi-trash" tone="danger-plain" onClick={() => setAsking(true)} />
      </div>
      {asking && <DeleteAccount onClose={() => setAsking(false)} />}
    </section>
  );
}

/** One's own profile. */
export function ProfilePage() {
  const { t } = useText();
  const profile = useProfile();
  const session = useSession();
  const mayEdit = mayAct(actorOf(profile), 'editOwnProfile');
  const form = useForm(profileForm, profile, (saved) => session.send({ type: 'profile.replace', profile: saved }));
  const { draft, changed, running, save, reset, change } = form;
  const issues = useMemo(() => new Map(form.issues.map((issue) => [String(issue.path.at(-1)), issue])), [form.issues]);
  usePageTitle(t('interface.profile.title'));
  useFabs(
    useMemo(
      () => [
        { key: 'discard', label: t('interface.profile.discard'), order: 1, hidden: !changed, disabled: running, onPress: reset },
        {
          key: 'save',
          label: t('interface.profile.save'),
          icon: 'pi-check' as const,
          order: 2,
          tone: 'primary' as const,
          hidden: !changed,
          loading: running,
          onPress: save,
        },
      ],
      [t, changed, running, save, reset],
    ),
  );
  return (
    <div className="profile-page">
      <div className="stack">
        <div className="card">
          <Section title={t('interface.profile.picture')}>
            <Picture readOnly={!mayEdit} />
          </Section>
          <Section title={t('interface.profile.about')}>
            <AboutFields draft={draft} issues={issues} readOnly={!mayEdit} onChange={change} />
          </Section>
          <Section title={t('interface.profile.reading')}>
            <ReadingFields draft={draft} issues={issues} onChange={change} />
          </Section>
        </div>
        {mayEdit && <Leaving />}
      </div>
      <div className="profile-side">
        <Facts />
        <Security />
        <SecondFactorCard />
        <PasskeysCard />
        <AppOffer />
        <Sessions />
      </div>
    </div>
  );
}
