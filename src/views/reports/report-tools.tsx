import { useState } from 'react';
import { type ReportStep, reportSteps } from '#models/licence-reports.ts';
import { DayInput } from '#src/components/day-input.tsx';
import { Popup } from '#src/components/popup.tsx';
import { useText } from '#src/components/text.ts';
import { RefPicker } from '../area/ref-picker.tsx';
import { asDay, asLocal, type ReportAddress } from './report-address.ts';

interface ReportToolsProps {
  address: ReportAddress;
  /** The group that the report is of, by name; null: the whole project. */
  group: string | null;
  onChange: (part: Partial<ReportAddress>) => void;
}

/** Which group; without one all that one sees. */
function GroupChoice({ address, group, onChange }: ReportToolsProps) {
  const { t } = useText();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const name = group ?? t('areas.reports.project');
  return (
    <div className="report-group">
      <span className="quiet small">{t('areas.reports.group')}</span>
      <span className="row">
        <button
          type="button"
          className="chip chip-text"
          aria-haspopup="dialog"
          aria-label={`${t('areas.reports.group')}: ${name}`}
          onClick={({ currentTarget }) => setAnchor(anchor ? undefined : currentTarget)}
        >
          {name}
        </button>
        {address.group !== null && (
          <button type="button" className="icon-button" aria-label={t('areas.reports.all_groups')} onClick={() => onChange({ group: null })}>
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        )}
      </span>
      {anchor && (
        <Popup anchor={anchor} label={t('areas.reports.group')} onClose={() => setAnchor(undefined)}>
          <div className="report-popup">
            <RefPicker
              id="report-group"
              area="groups"
              label={t('areas.reports.group')}
              ids={address.group === null ? [] : [address.group]}
              onChange={(ids) => {
                onChange({ group: ids.at(-1) ?? null });
                setAnchor(undefined);
              }}
            />
          </div>
        </Popup>
      )}
    </div>
  );
}

/** Which group, which days, and in what steps. */
export function ReportTools(props: ReportToolsProps) {
  const { address, onChange } = props;
  const { t } = useText();
  const day = (field: 'from' | 'to') => (
    <label className="report-day">
      <span className="quiet small">{t(`areas.reports.${field}`)}</span>
      <DayInput
        label={t(`areas.reports.${field}`)}
        value={asLocal(address[field])}
        onChange={(local) => local !== null && onChange({ [field]: asDay(local) })}
      />
    </label>
  );
  return (
    <div className="report-tools">
      <GroupChoice {...props} />
      {day('from')}
      {day('to')}
      <label className="report-step">
        <span className="quiet small">{t('areas.reports.step')}</span>
        <select
          aria-label={t('areas.reports.step')}
          value={address.step}
          onChange={({ target }) => onChange({ step: reportSteps.find((step): step is ReportStep => step === target.value) ?? 'day' })}
        >
          {reportSteps.map((step) => (
            <option key={step} value={step}>
              {t(`areas.reports.steps.${step}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
