import { lazy, Suspense } from 'react';
import { usePhone } from '../system.ts';

const PhoneButton = lazy(() => import('../phone/phone-button.tsx'));
const PhoneHost = lazy(() => import('../phone/phone-host.tsx'));

/** The phone's button in the top bar, for those who have a phone (clause DIAL-01); its code comes when it is needed. */
export function PhoneSlot() {
  const phone = usePhone();
  if (!phone) return null;
  return (
    <span className="phone-slot">
      <Suspense>
        <PhoneButton phone={phone} />
      </Suspense>
    </span>
  );
}

/** The phone beside the page, on every signed-in page (clause DIAL-02). */
export function PhoneBeside() {
  const phone = usePhone();
  return <Suspense>{phone && <PhoneHost phone={phone} />}</Suspense>;
}
