import { SkeletonLines } from '#src/components/skeletons.tsx';
import { useText } from '#src/components/text.ts';
import { HomeFrame } from './home-card.tsx';

/** So many announcements stand on the home page, and so high is their card from the first frame on: what stands below stays there. */
export const shownAnnounces = 2;

/** The place of the announcements, until what draws them has come. */
export function AnnouncesAwaited() {
  const { t } = useText();
  return (
    <HomeFrame title={t('home.announces.title')} icon="pi-megaphone" lines={shownAnnounces} tall>
      <SkeletonLines lines={shownAnnounces} label={t('interface.loading')} />
    </HomeFrame>
  );
}
