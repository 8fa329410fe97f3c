import { useId } from 'react';
import type { Relay } from '#models/device-settings.ts';
import { type RelayLine, relaysForm } from '#models/forms/relays.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useDraft } from '#src/views/use-form.ts';

interface RelaysDialogProps {
  relays: readonly Relay[];
  /** How many relays the model has. */
  count: number;
  onApprove: (relays: Relay[]) => void;
  onClose: () => void;
}
/** The relay form: each relay of the model with its name, how long it switches (msec) and how it rests. */
export default function RelaysDialog({ relays, count, onApprove, onClose }: RelaysDialogProps) {
  const words = useText();
  const { t } = words;
  const names = Array.from({ length: count }, (_, at) => t('areas.devices.relay.number', { number: at + 1 }));
  const form = useDraft(relaysForm, { relays, names }, (approved) => {
    onApprove(approved);
    onClose();
  });
  const { lines } = form.draft;
  const id = useId();
  const issueAt = (at: number, key: string): string | undefined => {
    const found = form.issues.find(({ path }) => path[0] === at && path[1] === key);
    return found && sayIssue(words, found);
  };
  const set = (at: number, part: Partial<RelayLine>) =>
    form.change({ lines: lines.map((line, index) => (index === at ? { ...line, ...part } : line)) });
  return (
    <Modal
      width="normal"
      title={t('areas.devices.relay.title')}
      onDismiss={onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
          <Button label={t('areas.devices.approve')} onClick={form.save} />
        </>
      }
    >
      <div className="relay-grid" role="table" aria-label={t('areas.devices.relay.title')}>
        <div role="row" className="relay-row relay-head">
          <span role="columnheader">#</span>
          <span role="columnheader">{t('areas.devices.fields.device_settings.relays.name')}</span>
          <span role="columnheader">{t('areas.devices.fields.device_settings.relays.switch_time')}</span>
          <span role="columnheader">{t('areas.devices.fields.device_settings.relays.is_inverted')}</span>
        </div>
        {lines.map((line, at) => (
          <div role="row" key={line.number} className="relay-row">
            <span role="cell">{line.number}</span>
            {(['name', 'switch_time'] as const).map((key) => (
              <span role="cell" key={key}>
                <TextInput
                  value={line[key]}
                  inputMode={key === 'name' ? 'text' : 'numeric'}
                  invalid={issueAt(at, key) !== undefined}
                  aria-describedby={issueAt(at, key) && `${id}-${at}-${key}`}
                  aria-label={`${t(`areas.devices.fields.device_settings.relays.${key}`)} ${line.number}`}
                  onChange={(event) => set(at, { [key]: event.target.value })}
                />
                {issueAt(at, key) && (
                  <p id={`${id}-${at}-${key}`} className="field-issue">
                    {issueAt(at, key)}
                  </p>
                )}
              </span>
            ))}
            <span role="cell">
              <label className="box-area">
                <input
                  type="checkbox"
                  className="check"
                  checked={line.is_inverted}
                  aria-label={`${t('areas.devices.fields.device_settings.relays.is_inverted')} ${line.number}`}
                  onChange={(event) => set(at, { is_inverted: event.target.checked })}
                />
              </label>
            </span>
          </div>
        ))}
      </div>
    </Modal>
  );
}
