import { useId } from 'react';
import { type AddressRange, addressRangeForm, mostAddresses } from '#models/forms/address-range.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useDraft } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';

interface RangeDialogProps {
  range: AddressRange;
  onStart: (range: AddressRange) => void;
  onClose: () => void;
}

/** Asks for the first and the last address of a range. */
export function RangeDialog({ range, onStart, onClose }: RangeDialogProps) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const form = useDraft(addressRangeForm, range, onStart);
  const submit = useSubmit(form);
  const say = (field: keyof AddressRange): string | undefined => {
    const found = form.issues.find(({ path }) => path[0] === field);
    if (found?.path[1] === undefined) return found && sayIssue(words, found);
    return t(`areas.devices.search.wrong_${found.path[1]}`, { count: mostAddresses });
  };
  return (
    <Modal
      title={t('areas.devices.search.range_title')}
      onDismiss={onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
          <Button type="submit" form="ip-range" label={t('areas.devices.search.start')} />
        </>
      }
    >
      <form id="ip-range" className="fields" {...submit}>
        {(['start_ip', 'end_ip'] as const).map((field) => {
          const issue = say(field);
          return (
            <FieldFrame key={field} id={`${id}-${field}`} path={field} label={t(`areas.devices.search.${field}`)} issue={issue} required={false}>
              <TextInput
                id={`${id}-${field}`}
                name={field}
                value={form.draft[field]}
                inputMode="decimal"
                autoComplete="off"
                placeholder={field === 'start_ip' ? '192.168.0.1' : '192.168.0.254'}
                invalid={issue !== undefined}
                aria-describedby={describedBy(`${id}-${field}`, undefined, issue)}
                onChange={(event) => form.change({ [field]: event.target.value })}
              />
            </FieldFrame>
          );
        })}
      </form>
    </Modal>
  );
}
