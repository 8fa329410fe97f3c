import type { CallMirror } from '#machines/phone/mirror.ts';
import { useText } from '#src/components/text.ts';
import { CallCard } from './call-card.tsx';
import type { Send } from './use-phone.ts';

/** The calls that are at other desks, wait at the server, or are over (clause DIAL-26). */
export function PhoneCalls({ calls, send }: { calls: readonly CallMirror[]; send: Send }) {
  const { t } = useText();
  if (calls.length === 0) return null;
  return (
    <ul className="calls" aria-label={t('phone.other_calls')}>
      {calls.map((call) => (
        <CallCard key={call.speechId} call={call} send={send} />
      ))}
    </ul>
  );
}
