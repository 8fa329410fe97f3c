import { useEffect, useRef } from 'react';
import type { ConsistencyItem } from '#models/consistency.ts';
import { constants } from '#models/constants.ts';
import { usePeriodText } from './licence-day.tsx';
import { useText } from './text.ts';
import './consistency.css';

/** Which form of words a finding has: about the project or a parent group, for a time or without end. */
function formOf({ type, relation, period }: ConsistencyItem): string {
  const where = relation.parent ? 'group' : 'project';
  if (type === 'quantity_exceeded' && !relation.parent)
    return `quantity_exceeded_project_${period && period.to !== constants.unlimitedLicencePeriod.to ? 'bounded' : 'unbounded'}`;
  if (type === 'license_type_missing' || type === 'feature_missing' || type === 'quantity_exceeded') return `${type}_${where}`;
  if (type === 'children_over_parent') return relation.child ? 'children_over_parent_group' : 'children_over_parent_own';
  return type;
}

/** A finding of the cascade as one sentence. */
export function useConsistencyText(): (item: ConsistencyItem) => string {
  const { t, has } = useText();
  const periodText = usePeriodText();
  const featureText = (feature: string | null): string => {
    if (feature === null) return '';
    const keys = [`list.licences.counted.${feature}`, `areas.groups.fields.licenseInfo.info.${feature}`];
    const key = keys.find((name) => has(name));
    return key ? t(key) : feature.replaceAll(/[._]/g, ' ');
  };
  return (item) => {
    const { relation, feature, license_type, period, qty } = item;
    return t(`errors.consistency.${formOf(item)}`, {
      parent: relation.parent?.name ?? '',
      child: relation.child?.name ?? '',
      feature: featureText(feature),
      type: license_type ? t(`list.licences.types.${license_type}`) : '',
      period: period ? periodText(period) : '',
      target: qty?.target ?? 0,
      available: qty?.available ?? 0,
    });
  };
}

/** The findings of the cascade, to be read in one's own time; of an empty list the words for that. `isNews` brings it into view. */
export function ConsistencyPanel({ items, isNews = false }: { items: readonly ConsistencyItem[]; isNews?: boolean }) {
  const { t } = useText();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // With the sentence above it.
    if (isNews) (list.current?.closest('.notice') ?? list.current)?.scrollIntoView({ block: 'nearest' });
  }, [isNews]);
  const say = useConsistencyText();
  if (items.length === 0) return <p className="consistency-none">{t('errors.consistency.default')}</p>;
  return (
    <ul ref={list} className="consistency">
      {items.map((item) => (
        <li key={JSON.stringify(item)}>{say(item)}</li>
      ))}
    </ul>
  );
}
