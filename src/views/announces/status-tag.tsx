import type { AnnounceStatus } from '#models/announces.ts';
import { useText } from '#src/components/text.ts';

const tones: Readonly<Record<AnnounceStatus, string>> = {
  new: 'tag',
  planned: 'tag tag-info',
  started: 'tag tag-good',
  stopped: 'tag tag-warn',
  expired: 'tag',
};

/** How an announcement stands, in a word. */
export function StatusTag({ status }: { status: AnnounceStatus }) {
  const { t } = useText();
  return <span className={tones[status]}>{t(`areas.announces.options.status.${status}`)}</span>;
}
