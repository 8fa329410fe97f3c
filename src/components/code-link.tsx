import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import './code-link.css';
import { TextInput } from './text-input.tsx';
import { useText } from './text.ts';

/** A link, or what else `label` says, to be copied. */
export function CodeLink({ href, label }: { href: string; label: string }) {
  const { t } = useText();
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = () => {
    field.current?.select();
    navigator.clipboard.writeText(href).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div className="code-link">
      <TextInput ref={field} readOnly value={href} aria-label={label} />
      <Button
        type="button"
        tone="plain"
        icon={copied ? 'pi-check' : 'pi-copy'}
        label={t(copied ? 'list.copy.copied' : 'list.copy.copy')}
        onClick={copy}
      />
    </div>
  );
}
