import { TextInput } from '#src/components/text-input.tsx';
import { useContext } from 'react';
import { identifierFormats, locales, timeFormats } from '#models/constants.ts';
import type { ProfileDraft } from '#models/forms/profile.ts';
import type { Issue } from '#models/issues.ts';
import { zoneOf } from '#models/zone.ts';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { ClockworkContext, exactTime } from '#src/components/when.tsx';
import { useServices } from '../system.ts';
import { ZoneField } from './zone-field.tsx';

interface FormProps {
  draft: ProfileDraft;
  issues: ReadonlyMap<string, Issue>;
  onChange: (patch: Partial<ProfileDraft>) => void;
}
type TextKey = 'name' | 'email' | 'phone' | 'address';
const kinds = {
  name: { type: 'text', autoComplete: 'name' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  address: { type: 'text', autoComplete: 'street-address' },
} as const;

function TextField({ field, draft, issues, readOnly, onChange }: FormProps & { field: TextKey; readOnly: boolean }) {
  const words = useText();
  const id = `profile-${field}`;
  const finding = issues.get(field);
  const issue = finding && sayIssue(words, finding);
  const label = words.t(`interface.profile.${field}`);
  if (readOnly)
    return (
      <FieldFrame id={id} path={field} label={label} required={false} readOnly>
        <p className={draft[field] ? 'field-value' : 'field-value field-value-none'}>{draft[field] || words.t('list.none')}</p>
      </FieldFrame>
    );
  return (
    <FieldFrame id={id} path={field} label={label} issue={issue} required={field === 'name'}>
      <TextInput
        id={id}
        {...kinds[field]}
        value={draft[field]}
        invalid={issue !== undefined}
        aria-invalid={issue !== undefined}
        aria-describedby={describedBy(id, undefined, issue)}
        onChange={(event) => onChange({ [field]: event.target.value })}
      />
    </FieldFrame>
  );
}

interface Option {
  value: string;
  label: string;
}
function Select({
  field,
  value,
  options,
  hint,
  onChange,
}: {
  field: string;
  value: string;
  options: readonly Option[];
  hint?: string;
  onChange: (value: string) => void;
}) {
  const { t } = useText();
  const id = `profile-${field}`;
  return (
    <FieldFrame id={id} path={field} label={t(`interface.profile.${field}`)} hint={hint} required={false}>
      <select
        id={id}
        className="native-select"
        value={value}
        aria-describedby={describedBy(id, hint, undefined)}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

const pick = <T extends string>(words: readonly T[], value: string, otherwise: T): T => words.find((word) => word === value) ?? otherwise;

/** Who one is: name and how to be reached. */
export function AboutFields(props: FormProps & { readOnly: boolean }) {
  const { t } = useText();
  return (
    <>
      <div className="profile-grid">
        {(['name', 'email', 'phone', 'address'] as const).map((field) => (
          <TextField key={field} field={field} {...props} />
        ))}
      </div>
      {props.readOnly && <p className="quiet small profile-read-only">{t('interface.profile.read_only')}</p>}
    </>
  );
}

/** How times, identifiers and words are shown to one. */
export function ReadingFields({ draft, issues, onChange }: FormProps) {
  const words = useText();
  const { t, locale } = words;
  const { changeLanguage } = useServices();
  const { now } = useContext(ClockworkContext);
  const zone = zoneOf(draft);
  const example = t('interface.profile.example', { example: exactTime(now(), { ...zone, timeFormat: draft.time_format }) });
  const issue = issues.get('time_zone_name') ?? issues.get('time_zone');
  return (
    <div className="profile-grid">
      <Select
        field="language"
        value={locale}
        options={locales.map((value) => ({ value, label: t(`interface.languages.${value}`) }))}
        onChange={(value) => void changeLanguage(pick(locales, value, locale))}
      />
      <ZoneField
        zone={zone}
        issue={issue && sayIssue(words, issue)}
        onChange={({ zoneHours, zoneName }) => onChange({ time_zone: zoneHours, time_zone_name: zoneName })}
      />
      <Select
        field="time_format"
        value={draft.time_format}
        hint={example}
        options={timeFormats.map((value) => ({ value, label: value }))}
        onChange={(value) => onChange({ time_format: pick(timeFormats, value, draft.time_format) })}
      />
      <Select
        field="identifier_format"
        value={draft.identifier_format}
        options={identifierFormats.map((value) => ({ value, label: t(`interface.profile.identifier_formats.${value}`) }))}
        onChange={(value) => onChange({ identifier_format: pick(identifierFormats, value, draft.identifier_format) })}
      />
    </div>
  );
}
