import { Menu } from 'primereact/menu';
import type { MenuItem } from 'primereact/menuitem';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { initials, Portrait } from '#src/components/portrait.tsx';
import { useText } from '#src/components/text.ts';
import { useConfirm } from '../confirm.ts';
import { useProfile } from '../profile-of.ts';
import { useSession } from '../system.ts';

/** The signed-in person: to the profile, and out. */
export function PersonMenu() {
  const { t } = useText();
  const profile = useProfile();
  const session = useSession();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const menu = useRef<Menu>(null);
  const [open, setOpen] = useState(false);

  const leaveEverywhere = async (): Promise<void> => {
    const sure = await confirm({
      text: { key: 'interface.person.sign_out_everywhere_question' },
      approve: { key: 'interface.person.sign_out_everywhere' },
      danger: true,
    });
    if (sure) session.send({ type: 'session.signOutEverywhere' });
  };
  const items: MenuItem[] = [
    { label: t('interface.person.profile'), icon: 'pi pi-user', command: () => void navigate('/profile') },
    { separator: true },
    { label: t('interface.person.sign_out'), icon: 'pi pi-sign-out', command: () => session.send({ type: 'session.signOut' }) },
    { label: t('interface.person.sign_out_everywhere'), icon: 'pi pi-desktop', command: () => void leaveEverywhere() },
  ];
  return (
    <>
      <button
        type="button"
        className="person-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls="person-menu"
        aria-label={t('interface.shell.person_menu', { name: profile.name })}
        onClick={(event) => menu.current?.toggle(event)}
      >
        <Portrait url={profile.avatar_url} name={profile.name} fallback={initials(profile.name)} />
      </button>
      <Menu id="person-menu" ref={menu} popup model={items} popupAlignment="right" onShow={() => setOpen(true)} onHide={() => setOpen(false)} />
    </>
  );
}
