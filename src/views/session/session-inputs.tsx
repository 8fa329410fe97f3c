import type { ComponentPropsWithRef } from 'react';
import type { Issue } from '#models/issues.ts';
import { PasswordInput } from '#src/components/password-input.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { SessionField } from './session-field.tsx';

type Line = Omit<ComponentPropsWithRef<'input'>, 'onChange' | 'value'> & {
  id: string;
  label: string;
  hint?: string;
  issue: Issue | undefined;
  value: string;
  onText: (text: string) => void;
};

/** A line to type. */
export const SessionLine = ({ id, label, hint, issue, onText, ...rest }: Line) => (
  <SessionField id={id} label={label} hint={hint} issue={issue}>
    {(described) => (
      <TextInput
        id={id}
        invalid={issue !== undefined}
        aria-describedby={described}
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        onChange={(event) => onText(event.target.value)}
      />
    )}
  </SessionField>
);

/** One of several, by name. */
export const SessionChoice = ({
  id,
  label,
  value,
  options,
  onText,
}: {
  id: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onText: (value: string) => void;
}) => (
  <SessionField id={id} label={label} issue={undefined}>
    {() => (
      <select id={id} className="plain-select" value={value} onChange={(event) => onText(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </SessionField>
);

interface NewPasswordProps {
  draft: { password: string; repeat: string };
  issueOf: (field: 'password' | 'repeat') => Issue | undefined;
  disabled: boolean;
  onChange: (part: { password?: string; repeat?: string }) => void;
}

/** A password to choose, typed twice. */
export function NewPassword({ draft, issueOf, disabled, onChange }: NewPasswordProps) {
  const { t } = useText();
  return (['password', 'repeat'] as const).map((field) => (
    <SessionField
      key={field}
      id={`new-${field}`}
      label={t(`interface.registration.${field}`)}
      hint={field === 'password' ? t('interface.profile.new_password_hint') : undefined}
      issue={issueOf(field)}
    >
      {(described) => (
        <PasswordInput
          id={`new-${field}`}
          value={draft[field]}
          autoComplete="new-password"
          disabled={disabled}
          invalid={issueOf(field) !== undefined}
          describedBy={described}
          onChange={(value) => onChange({ [field]: value })}
        />
      )}
    </SessionField>
  ));
}
