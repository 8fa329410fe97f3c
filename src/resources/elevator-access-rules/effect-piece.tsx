import { type ElevatorAccessRule, elevatorAccessRules } from '#models/elevator-access-rules.ts';
import { useText } from '#src/components/text.ts';
import { AccessEffectNote } from '#src/views/access/effect.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';

/** Which floors the rule as it stands in the form would open and close. */
export function LiftRuleEffect({ draft, row }: PieceProps<ElevatorAccessRule>) {
  const { t } = useText();
  const found = elevatorAccessRules.write.safeParse({ ...(elevatorAccessRules.toWire(draft as never) as object), name: 'x' });
  if (!found.success) return <p className="quiet small">{t('areas.elevator-access-rules.unfinished')}</p>;
  return <AccessEffectNote change={{ area: 'elevator-access-rules', id: row?.id ?? null, draft: found.data }} />;
}
