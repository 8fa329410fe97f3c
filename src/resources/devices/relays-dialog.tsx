import { useId, useState } from 'react';
import { z } from 'zod';
import { relay, type Relay } from '#models/device-settings.ts';
import { toIssues } from '#models/issues.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';

interface RelaysDialogProps {
  relays: readonly Relay[];
  /** How many relays the model has. */
  count: number;
  onApprove: (relays: Relay[]) => void;
  onClose: () => void;
}
/** A relay as it is typed: the time is text until it is approved. */
type Typed = Omit<Relay, 'switch_time'> & { switch_time: string };

const asRelay = ({ switch_time, ...rest }: Typed): Record<string, unknown> => ({
  ...rest,
  switch_time: /^\s*\d+\s*$/.test(switch_time) ? Number(switch_time) : switch_time || null,
});

/** The relay form: each relay of the model with its name, how long it switches (msec) and how it rests. */
export default function RelaysDialog({ relays, count, onApprove, onClose }: RelaysDialogProps) {
  const words = useText();
  const { t } = words;
  const [lines, setLines] = useState<Typed[]>(() =>
    Array.from({ length: count }, (_, at) => {
      const known = relays.find(({ number }) => number === at + 1);
      return {
        number: at + 1,
        name: known?.name ?? t('areas.devices.relay.number', { number: at + 1 }),
        switch_time: String(known?.switch_time ?? 3_000),
        is_inverted: known?.is_inverted ?? false,
      };
    }),
  );
  const [tried, setTried] = useState(false);
  const id = useId();
  const result = z.array(relay).safeParse(lines.map(asRelay));
  const issues = result.success ? [] : toIssues(result.error);
  const issueAt = (at: number, key: string): string | undefined => {
    const found = tried ? issues.find(({ path }) => path[0] === at && path[1] === key) : undefined;
    return found && sayIssue(words, found);
  };
  const set = (at: number, part: Partial<Typed>) => setLines((all) => all.map((line, index) => (index === at ? { ...line, ...part } : line)));
  const approve = () => {
    setTried(true);
    if (!result.success) return;
    onApprove(result.data);
    onClose();
  };
  return (
    <Modal
      width="normal"
      title={t('areas.devices.relay.title')}
      onDismiss={onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
          <Button label={t('areas.devices.approve')} onClick={approve} />
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
