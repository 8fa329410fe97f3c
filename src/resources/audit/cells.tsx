import type { AuditEvent } from '#models/audit-events.ts';
import { agentText } from '#models/device-name.ts';
import { useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { NoValue } from '#src/views/area/cell.tsx';
import type { CellProps } from '#src/views/area/resource.ts';
import { useFieldName } from './field-name.ts';

/** When it happened: how long ago, and exactly below. */
export function MomentCell({ value }: CellProps<string, unknown>) {
  return (
    <>
      <When at={value} />
      <span className="cell-sub">
        <When at={value} exact />
      </span>
    </>
  );
}

/** The area in words; one without screens keeps the word it has on the wire. */
export function useAreaName(): (area: string) => string {
  const { t, has } = useText();
  return (area) => (has(`areas.${area}.title`) ? t(`areas.${area}.title`) : has(`list.audit.areas.${area}`) ? t(`list.audit.areas.${area}`) : area);
}

/** An area by its name in the language of the page. */
export function AreaCell({ value }: CellProps<string, AuditEvent>) {
  return useAreaName()(value);
}

/** What the row was called then. */
export function EntityCell({ value }: CellProps<string | null, AuditEvent>) {
  return value ? <span className="cell-lines">{value}</span> : <NoValue />;
}

/** With what browser, in words; the whole user agent when one points at it. */
export function AgentCell({ value }: CellProps<string | null, AuditEvent>) {
  return value ? <span title={value}>{agentText(value) ?? value}</span> : <NoValue />;
}

/** Which fields changed, the first few by name. */
export function ChangesCell({ value, row }: CellProps<AuditEvent['changes'], AuditEvent>) {
  const { t } = useText();
  const nameOf = useFieldName(row.area);
  const names = Object.keys(value).map(nameOf);
  if (names.length === 0) return <NoValue />;
  return (
    <span className="cell-lines" title={names.join(', ')}>
      {names.slice(0, 3).join(', ')}
      {names.length > 3 && ` ${t('list.and_more', { count: names.length - 3 })}`}
    </span>
  );
}
