import { memo, Suspense, useSyncExternalStore } from 'react';
import { lazyPart } from '#src/components/lazy-part.ts';
import { usePhone, useServices } from '../system.ts';
import { usePhoneIsSheet } from './media.ts';

const PhoneButton = lazyPart(() => import('../phone/phone-button.tsx'));
const PhoneHost = lazyPart(() => import('../phone/phone-host.tsx'));

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

/** Whether the phone lies over the whole page: what is below it hears nothing meanwhile; what rings lies above both. */
export function usePhoneCovers(): boolean {
  const { phoneDesk } = useServices();
  const { isOpen } = useSyncExternalStore(phoneDesk.follow, phoneDesk.get);
  const isSheet = usePhoneIsSheet();
  return usePhone() !== undefined && isOpen && isSheet;
}

/** The phone beside the page, on every signed-in page (clause DIAL-02). */
export const PhoneBeside = memo(function PhoneBeside() {
  const phone = usePhone();
  return <Suspense>{phone && <PhoneHost phone={phone} />}</Suspense>;
});
