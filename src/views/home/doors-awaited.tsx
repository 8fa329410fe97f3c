import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { HomeFrame } from './home-card.tsx';

/** The place of one's doors, until the phone has come, after the first screen, and knows which they are. */
export function DoorsAwaited() {
  const { t } = useText();
  return (
    <HomeFrame title={t('home.doors.mine')} icon="pi-lock-open" lines={3}>
      <div data-later>
        <SkeletonLines lines={3} label={t('interface.loading')} />
      </div>
    </HomeFrame>
  );
}
