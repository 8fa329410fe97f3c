import type { CallMirror } from '#machines/phone/mirror.ts';
import { useText } from '#src/components/text.ts';
import { microphoneKeyOf } from './call-texts.ts';

/** A loss below it cannot be heard. */
const audible = 0.03;
const percent = (share: number): number => Math.round(share * 100);

/** What stands in the way of hearing each other, the gravest first; none while all is well. */
function troubleOf({ microphone, isHeard, hears, isHeld, isHeldByThem, status }: CallMirror): string | null {
  if (status !== 'active') return null;
  if (microphone) return microphoneKeyOf(microphone);
  if (isHeld || isHeldByThem) return null;
  if (!isHeard) return 'phone.line.not_heard';
  return hears ? null : 'phone.line.hears_nothing';
}

/** The line: what one cannot hear, then how good it is. */
export function LineState({ call }: { call: CallMirror }) {
  const { t } = useText();
  const { quality } = call;
  const trouble = troubleOf(call);
  const parts = quality && [
    ...(quality.roundTrip === null ? [] : [t('phone.line.round_trip', { ms: Math.round(quality.roundTrip) })]),
    t('phone.line.loss', { percent: percent(quality.loss) }),
    ...(quality.jitter === null ? [] : [t('phone.line.jitter', { ms: Math.round(quality.jitter) })]),
  ];
  return (
    <div className="line-state">
      <p role="alert" className="line-trouble">
        {trouble && (
          <>
            <i className="pi pi-exclamation-triangle" aria-hidden="true" /> {t(trouble)}
          </>
        )}
      </p>
      {parts && (
        <p className="line-quality" data-poor={quality.loss >= audible}>
          {parts.join(' · ')}
        </p>
      )}
    </div>
  );
}
