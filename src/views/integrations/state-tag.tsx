import type { Integration } from '#models/integrations.ts';
import { useText } from '#src/components/text.ts';

const tones: Record<Integration['state'], string> = { working: 'tag-good', failing: 'tag-warn', stopped: 'tag-bad', off: '' };

/** How an integration stands, in a word. */
export function StateTag({ state }: { state: Integration['state'] }) {
  const { t } = useText();
  return <span className={`tag ${tones[state]}`}>{t(`areas.integrations.options.state.${state}`)}</span>;
}
