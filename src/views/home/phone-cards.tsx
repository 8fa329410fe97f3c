import { useSelector } from '@xstate/react';
import type { ReactNode } from 'react';
import { mayAct } from '#models/permissions.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { CallsCard, NotesCard, PeopleCard, RecentCard } from './call-cards.tsx';
import { DoorsCard } from './doors-card.tsx';
import { NumberCard } from './number-card.tsx';
import './phone-cards.css';

/** What somebody at a front desk, or at home, does by telephone: calls, doors, people; `children` above what was. */
export default function PhoneCards({ phone, isDesk, children }: { phone: PhoneActor; isDesk: boolean; children?: ReactNode }) {
  const actor = actorOf(useProfile());
  const { recents, contacts, door } = useSelector(phone, ({ children }) => children);
  const doors = door && mayAct(actor, 'haveDoors') && <DoorsCard actor={door} isDesk={isDesk} />;
  return (
    <div className="home-columns">
      <div className="home-column">
        {isDesk && recents && <CallsCard phone={phone} actor={recents} />}
        {isDesk ? recents && <NotesCard actor={recents} /> : doors}
        {contacts && <PeopleCard phone={phone} actor={contacts} who={isDesk ? 'colleagues' : 'people'} />}
        {!isDesk && <NumberCard />}
      </div>
      <div className="home-column">
        {children}
        {isDesk ? doors : recents && <RecentCard phone={phone} actor={recents} />}
      </div>
    </div>
  );
}
