import type { ConsistencyItem } from '#models/consistency.ts';
import { useConsistencyText } from '#src/components/consistency.tsx';
import { useText } from '#src/components/text.ts';
import { PersonClockwork } from './person-clockwork.tsx';

function Findings({ items }: { items: readonly ConsistencyItem[] }) {
  const { t } = useText();
  const say = useConsistencyText();
  const lines = items.length === 0 ? [t('errors.consistency.default')] : items.map(say);
  return (
    <ul className="alert-lines">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** What a change would break, below the message that refuses it. Its code brings dates, which signing in does without. */
export default function AlertFindings({ items }: { items: readonly ConsistencyItem[] }) {
  return (
    <PersonClockwork>
      <Findings items={items} />
    </PersonClockwork>
  );
}
