import { useSelector } from '@xstate/react';
import { mayAct } from '#models/permissions.ts';
import type { PhoneActor } from '#machines/phone/phone.machine.ts';
import { actorOf, useProfile } from '../profile-of.ts';
import { CallsCard, NotesCard, PeopleCard, RecentCard } from './call-cards.tsx';
import { DoorsCard } from './doors-card.tsx';
import './phone-cards.css';

interface OfPhone {
  phone: PhoneActor;
}
const usePartsOf = (phone: PhoneActor) => useSelector(phone, ({ children }) => children);

function Doors({ phone, isDesk }: OfPhone & { isDesk: boolean }) {
  const actor = actorOf(useProfile());
  const { door } = usePartsOf(phone);
  return door && mayAct(actor, 'haveDoors') ? <DoorsCard actor={door} isDesk={isDesk} /> : null;
}

/** What somebody at a front desk does by telephone: calls, colleagues and doors. */
export default function DeskCards({ phone }: OfPhone) {
  const { recents, contacts } = usePartsOf(phone);
  return (
    <div className="home-columns">
      <div className="home-column">
        {recents && <CallsCard phone={phone} actor={recents} />}
        {recents && <NotesCard actor={recents} />}
        {contacts && <PeopleCard phone={phone} actor={contacts} who="colleagues" />}
      </div>
      <div className="home-column">
        <Doors phone={phone} isDesk />
      </div>
    </div>
  );
}

/** The doors of somebody at home. */
export const OwnDoors = ({ phone }: OfPhone) => <Doors phone={phone} isDesk={false} />;

/** Whom somebody at home calls. */
export function OwnPeople({ phone }: OfPhone) {
  const { contacts } = usePartsOf(phone);
  return contacts ? <PeopleCard phone={phone} actor={contacts} who="people" /> : null;
}

/** The calls of somebody at home. */
export function OwnCalls({ phone }: OfPhone) {
  const { recents } = usePartsOf(phone);
  return recents ? <RecentCard phone={phone} actor={recents} /> : null;
}
