import { type KeyboardEvent, useState } from 'react';
import { useText } from './text.ts';
import './password-input.css';

interface PasswordInputProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: 'current-password' | 'new-password';
  invalid?: boolean;
  disabled?: boolean;
  describedBy?: string | undefined;
  placeholder?: string | undefined;
}

/** A password: shown on demand, with a word when Caps Lock is on. */
export function PasswordInput({
  id,
  value,
  onChange,
  autoComplete,
  invalid = false,
  disabled = false,
  describedBy,
  placeholder,
}: PasswordInputProps) {
  const { t } = useText();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const noticeCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className="password-input">
      <div className="password-box">
        <input
          id={id}
          className={invalid ? 'p-inputtext p-component p-invalid' : 'p-inputtext p-component'}
          type={shown ? 'text' : 'password'}
          value={value}
          placeholder={placeholder}
          disabled={disabled}
          aria-invalid={invalid}
          aria-describedby={[describedBy, `${id}-caps`].filter(Boolean).join(' ')}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onKeyUp={noticeCapsLock}
          onKeyDown={noticeCapsLock}
          onBlur={() => setCapsLock(false)}
        />
        <button
          type="button"
          className="icon-button"
          aria-pressed={shown}
          aria-label={t(shown ? 'interface.login.hide_password' : 'interface.login.show_password')}
          title={t(shown ? 'interface.login.hide_password' : 'interface.login.show_password')}
          onClick={() => setShown(!shown)}
        >
          <i className={`pi ${shown ? 'pi-eye-slash' : 'pi-eye'}`} aria-hidden="true" />
        </button>
      </div>
      <p id={`${id}-caps`} className="password-caps" role="status">
        {capsLock ? t('interface.login.caps_lock') : ''}
      </p>
    </div>
  );
}
