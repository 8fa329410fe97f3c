import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { Popup } from '#src/components/popup.tsx';
import { initials, Portrait } from '#src/components/portrait.tsx';
import { useText } from '#src/components/text.ts';
import { ThemeSwitch } from '#src/components/theme-switch.tsx';
import { useRequest } from '../area/use-request.ts';
import { useConfirm } from '../confirm.ts';
import { useProfile } from '../profile-of.ts';
import { usePhone, useServices, useSession } from '../system.ts';
import { useSignOut } from './sign-out.ts';

function Line({ icon, label, onPick }: { icon: `pi-${string}`; label: string; onPick: () => void }) {
  return (
    <li>
      <button type="button" className="menu-line" onClick={onPick}>
        <i className={`pi ${icon}`} aria-hidden="true" />
        {label}
      </button>
    </li>
  );
}

/** The other projects this sign-in opened: choosing one goes on there. Somebody on the line is asked first. */
function Projects({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { project } = useProfile();
  const session = useSession();
  const phone = usePhone();
  const confirm = useConfirm();
  const { answer, run } = useRequest('sessionProjects');
  useEffect(() => run({}), [run]);
  const others = answer?.filter(({ id }) => id !== project.id) ?? [];
  if (others.length === 0) return null;
  const go = async (projectId: string): Promise<void> => {
    onClose();
    const inCall = phone?.getSnapshot().context.mirror.calls.some(({ isBusy, isHeld, status }) => (isBusy || isHeld) && status !== 'destroyed');
    const question = { text: { key: 'interface.person.switch_question' }, approve: { key: 'interface.person.switch' }, danger: true };
    if (!inCall || (await confirm(question))) session.send({ type: 'session.switchProject', projectId });
  };
  return (
    <>
      <li className="person-theme quiet small">{t('interface.person.switch')}</li>
      {others.map(({ id, name }) => (
        <Line key={id} icon="pi-arrow-right-arrow-left" label={name} onPick={() => void go(id)} />
      ))}
      <li className="menu-gap" aria-hidden="true" />
    </>
  );
}

/** The lines of the person's menu: to the profile, to another project, and out. */
function Lines({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const { name, role, project } = useProfile();
  const signOut = useSignOut();
  const { theme } = useServices();
  const choice = useSyncExternalStore(theme.follow, theme.get);
  const pick = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <ul className="menu-lines">
      <li className="person-about">
        <b>{name}</b>
        <span className="quiet small">{[role?.name ?? t('interface.person.no_role'), project.name].join(' · ')}</span>
      </li>
      <li className="menu-gap" aria-hidden="true" />
      <li>
        <Link to="/profile" className="menu-line" onClick={onClose}>
          <i className="pi pi-user" aria-hidden="true" />
          {t('interface.person.profile')}
        </Link>
      </li>
      <li className="person-theme">
        {t('interface.theme.label')}
        <ThemeSwitch choice={choice} onChange={theme.set} />
      </li>
      <li className="menu-gap" aria-hidden="true" />
      <Projects onClose={onClose} />
      <Line icon="pi-sign-out" label={t('interface.person.sign_out')} onPick={pick(() => void signOut(false))} />
      <Line icon="pi-desktop" label={t('interface.person.sign_out_everywhere')} onPick={pick(() => void signOut(true))} />
    </ul>
  );
}

/** The signed-in person, at the end of the top bar. */
export function PersonMenu() {
  const { t } = useText();
  const { name, avatar_url } = useProfile();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const label = t('interface.shell.person_menu', { name });
  const close = (): void => setAnchor(null);
  return (
    <>
      <button
        type="button"
        className="person-button"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={label}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <Portrait url={avatar_url} name={name} fallback={initials(name)} />
      </button>
      {anchor && (
        <Popup anchor={anchor} end label={label} onClose={close}>
          <Lines onClose={close} />
        </Popup>
      )}
    </>
  );
}
