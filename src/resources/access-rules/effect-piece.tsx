import { type AccessRule, accessRules } from '#models/access-rules.ts';
import { useText } from '#src/components/text.ts';
import { AccessEffectNote } from '#src/views/access/effect.tsx';
import type { PieceProps } from '#src/views/area/resource.ts';

/** What the rule as it stands in the form would open and close. */
export function RuleEffect({ draft, row }: PieceProps<AccessRule>) {
  const { t } = useText();
  const found = accessRules.write.safeParse({ ...(accessRules.toWire(draft as never) as object), name: 'x' });
  if (!found.success) return <p className="quiet small">{t('list.effect.unfinished')}</p>;
  return <AccessEffectNote change={{ area: 'access-rules', id: row?.id ?? null, draft: found.data }} />;
}
