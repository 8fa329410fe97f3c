import type { Ukey2, Ukey2State } from '#models/ukey2.ts';
import { useText } from '#src/components/text.ts';
import type { CellProps } from '#src/views/area/resource.ts';

const tones: Readonly<Partial<Record<Ukey2State, string>>> = {
  active: 'tag tag-good',
  waiting: 'tag tag-info',
  not_yet_valid: 'tag tag-info',
  lost: 'tag tag-bad',
  revoked: 'tag tag-bad',
};

/** Whether the key opens, and if not, why. */
export function KeyStateCell({ value }: CellProps<Ukey2State>) {
  const { t } = useText();
  return <span className={tones[value] ?? 'tag'}>{t(`areas.ukey2.options.state.${value}`)}</span>;
}

/** The phone that holds the key, or that none does yet. */
export function PhoneCell({ value }: CellProps<Ukey2['phone']>) {
  const { t } = useText();
  return value ? (
    <span className="cell-line" title={value}>
      {value}
    </span>
  ) : (
    <span className="cell-none">{t('areas.ukey2.no_phone')}</span>
  );
}
