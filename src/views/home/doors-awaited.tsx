import type { ReactNode } from 'react';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { HomeFrame } from './home-card.tsx';

/** So many of one's doors stand in the card of a home; the others are a press away. */
export const ownDoors = 4;

/** The card of one's doors, as high before they come as afterwards, however many they are: what stands below it stays there. */
export function OwnDoorsFrame({ foot, children }: { foot?: ReactNode; children: ReactNode }) {
  const { t } = useText();
  return (
    <div className="home-own-doors">
      <HomeFrame title={t('home.doors.mine')} icon="pi-lock-open" lines={ownDoors} foot={foot ?? true} footShown={foot !== undefined}>
        {children}
      </HomeFrame>
    </div>
  );
}

/** The place of one's doors, until the phone has come, after the first screen, and knows which they are. */
export function DoorsAwaited() {
  const { t } = useText();
  return (
    <OwnDoorsFrame>
      <div data-later>
        <SkeletonLines lines={ownDoors} label={t('interface.loading')} />
      </div>
    </OwnDoorsFrame>
  );
}
