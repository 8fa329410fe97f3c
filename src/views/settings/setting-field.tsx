import { type ReactNode, useId } from 'react';
import type { Issue } from '#models/issues.ts';
import { smsWords } from '#models/sms.ts';
import { ColorField } from '#src/components/fields/color-field.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { PasswordInput } from '#src/components/password-input.tsx';
import { TextArea, TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { ZoneName } from '../profile/zone-name.tsx';

/** One setting as data: where it stands in its block, and what it is typed into. The draft knows it by the last word of its path. */
export interface Setting {
  path: string;
  kind: 'line' | 'lines' | 'number' | 'secret' | 'choice' | 'zone' | 'color' | 'flag';
  words?: readonly string[];
  required?: boolean;
  locked?: boolean;
  placeholder?: string;
  /** Its own row. */
  wide?: boolean;
}
type Draft = Readonly<Record<string, unknown>>;
interface FieldProps {
  block: string;
  setting: Setting;
  draft: Draft;
  issues: readonly Issue[];
  change: (part: Draft) => void;
}
interface ControlProps {
  id: string;
  block: string;
  label: string;
  setting: Setting;
  value: unknown;
  invalid: boolean;
  described: string | undefined;
  onChange: (value: unknown) => void;
}

export const keyOf = ({ path }: Setting): string => path.split('.').at(-1) ?? path;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function ZoneControl({ id, label, value, described, onChange }: ControlProps) {
  const { t } = useText();
  const words = { none: t('areas.project-settings.no_zone'), clear: t('areas.project-settings.clear_zone') };
  return <ZoneName id={id} label={label} value={value} words={words} describedBy={described} onChange={onChange} />;
}

function ChoiceControl({ id, block, setting, value, invalid, described, onChange }: ControlProps) {
  const { t, has } = useText();
  const words = (word: string): string => {
    // What a word says in this block; else what it says in all of them.
    const own = `areas.project-settings.options.${block}.${setting.path}.${word}`;
    const key = `areas.project-settings.options.${setting.path}.${word}`;
    return has(own) ? t(own) : has(key) ? t(key) : word;
  };
  return (
    <select
      id={id}
      className="native-select"
      value={textOf(value)}
      disabled={setting.locked}
      aria-invalid={invalid}
      aria-describedby={described}
      onChange={({ target }) => onChange(target.value)}
    >
      {setting.words?.map((word) => (
        <option key={word} value={word}>
          {words(word)}
        </option>
      ))}
    </select>
  );
}

function LineControl({ id, setting, value, invalid, described, onChange }: ControlProps) {
  return (
    <TextInput
      id={id}
      value={textOf(value)}
      inputMode={setting.kind === 'number' ? 'numeric' : 'text'}
      autoComplete="off"
      disabled={setting.locked}
      invalid={invalid}
      placeholder={setting.placeholder}
      aria-describedby={described}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function LinesControl({ id, setting, value, invalid, described, onChange }: ControlProps) {
  return (
    <TextArea
      id={id}
      className="setting-lines"
      rows={4}
      spellCheck={false}
      value={textOf(value)}
      disabled={setting.locked}
      invalid={invalid}
      placeholder={setting.placeholder}
      aria-describedby={described}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function controlOf(props: ControlProps): ReactNode {
  const { id, label, setting, value, invalid, described, onChange } = props;
  switch (setting.kind) {
    case 'lines':
      return <LinesControl {...props} />;
    case 'zone':
      return <ZoneControl {...props} />;
    case 'choice':
      return <ChoiceControl {...props} />;
    case 'secret':
      return (
        <PasswordInput
          id={id}
          value={textOf(value)}
          autoComplete="new-password"
          invalid={invalid}
          describedBy={described}
          placeholder={setting.placeholder}
          onChange={onChange}
        />
      );
    case 'color':
      return (
        <ColorField
          {...{ id, value, label, invalid, onChange }}
          path={setting.path}
          area="project-settings"
          meta={{ kind: 'color', nullable: false, optional: false }}
          readOnly={false}
          required={false}
          describedBy={described}
          draft={{}}
        />
      );
    default:
      return <LineControl {...props} />;
  }
}
/** One setting: its label, its input, its hint and what is wrong with it. */
export function SettingField({ block, setting, draft, issues, change }: FieldProps) {
  const words = useText();
  const { t, has } = words;
  const id = useId();
  const key = keyOf(setting);
  const label = t(`areas.project-settings.fields.${block}.${setting.path}`);
  const hintKey = `areas.project-settings.hints.${block}.${setting.path}`;
  const hint = has(hintKey) ? t(hintKey, smsWords) : undefined;
  const found = issues.find(({ path }) => path.at(-1) === key);
  const issue = found && sayIssue(words, found);
  const described = describedBy(id, hint, issue);
  const onChange = (value: unknown): void => change({ [key]: value });
  if (setting.kind === 'flag')
    return (
      <FieldFrame id={id} path={setting.path} label={label} hint={hint} issue={issue} required={false} bare wide>
        <label className="field-flag">
          <input
            type="checkbox"
            className="check"
            id={id}
            checked={draft[key] === true}
            disabled={setting.locked}
            aria-describedby={described}
            onChange={({ target }) => onChange(target.checked)}
          />
          <span>{label}</span>
        </label>
      </FieldFrame>
    );
  return (
    <FieldFrame id={id} path={setting.path} label={label} hint={hint} issue={issue} required={setting.required === true} wide={setting.wide}>
      {controlOf({ id, block, label, setting, value: draft[key], invalid: issue !== undefined, described, onChange })}
    </FieldFrame>
  );
}
