import { type ReactNode, useMemo, useState } from 'react';
import type { Issue } from '#models/issues.ts';
import { Button } from '#src/components/button.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { useConfirm } from '../confirm.ts';
import { useProfile } from '../profile-of.ts';
import { useFabs } from '../shell/fabs.ts';
import { useLeaveGuard } from '../shell/leave-guard.ts';
import { usePageTitle } from '../shell/page-title.ts';
import { useAlerts, useSession } from '../system.ts';
import { AppOffer } from './app-offer.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Picture } from './picture.tsx';
import { draftOfProfile, type ProfileDraft, profileChanges, profileIssues, refusedFields } from './profile-draft.ts';
import { AboutFields, ReadingFields } from './profile-form.tsx';
import { Sessions } from './sessions.tsx';
import './profile.css';

/** The draft of one's own profile: what was changed, what is wrong with it, saving and discarding. */
function useProfileDraft() {
  const profile = useProfile();
  const alerts = useAlerts();
  const session = useSession();
  const [patch, setPatch] = useState<Partial<ProfileDraft>>({});
  const [checked, setChecked] = useState(false);
  const [refused, setRefused] = useState<ReadonlyMap<string, Issue>>(new Map());
  const draft = { ...draftOfProfile(profile), ...patch };
  const changes = profileChanges(draft, profile);
  const issues = new Map([...refused, ...(checked ? profileIssues(changes) : [])]);
  const request = useRequest('editProfile', {
    done: (saved) => {
      session.send({ type: 'profile.replace', profile: saved });
      setPatch({});
      setChecked(false);
      alerts.send({ type: 'alert.show', alert: { kind: 'success', key: 'interface.profile.saved' } });
    },
    failed: (problem) => {
      setRefused(refusedFields(problem.data));
      alerts.send({ type: 'alert.show', alert: { kind: 'error', problem } });
    },
  });
  const forget = (): void => {
    setPatch({});
    setChecked(false);
    setRefused(new Map());
  };
  const save = (): void => {
    setChecked(true);
    if (profileIssues(changes).size > 0) alerts.send({ type: 'alert.show', alert: { kind: 'error', key: 'interface.check_fields_data' } });
    else request.run({ body: changes });
  };
  const change = (part: Partial<ProfileDraft>): void => {
    setPatch({ ...patch, ...part });
    setRefused(new Map([...refused].filter(([field]) => !(field in part))));
  };
  return { draft, issues, dirty: Object.keys(changes).length > 0, saving: request.running, change, save, forget };
}

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
  const confirm = useConfirm();
  const { draft, issues, dirty, saving, change, save, forget } = useProfileDraft();
  usePageTitle(t('interface.profile.title'));
  useLeaveGuard(dirty, () =>
    confirm({ text: { key: 'interface.profile.leave_question' }, approve: { key: 'interface.profile.leave' }, danger: true }),
  );
  useFabs(
    useMemo(
      () => [
        { key: 'discard', label: t('interface.profile.discard'), order: 1, hidden: !dirty, disabled: saving, onPress: forget },
        {
          key: 'save',
          label: t('interface.profile.save'),
          icon: 'pi-check' as const,
          order: 2,
          tone: 'primary' as const,
          hidden: !dirty,
          loading: saving,
          onPress: save,
        },
      ],
      // oxlint-disable-next-line react/exhaustive-deps -- save and forget close over the draft, which `draft` stands for
      [t, dirty, saving, draft],
    ),
  );
  return (
    <div className="profile-page">
      <div className="stack">
        <div className="card">
          <Section title={t('interface.profile.picture')}>
            <Picture />
          </Section>
          <Section title={t('interface.profile.about')}>
            <AboutFields draft={draft} issues={issues} onChange={change} />
          </Section>
          <Section title={t('interface.profile.reading')}>
            <ReadingFields draft={draft} issues={issues} onChange={change} />
          </Section>
        </div>
        <Leaving />
      </div>
      <div className="profile-side">
        <Facts />
        <Security />
        <AppOffer />
        <Sessions />
      </div>
    </div>
  );
}
