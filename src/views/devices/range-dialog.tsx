import { useId, useState } from 'react';
import { calls } from '#models/api.ts';
import { toIssues } from '#models/issues.ts';
import { Button } from '#src/components/button.tsx';
import { describedBy, FieldFrame } from '#src/components/fields/field-frame.tsx';
import { Modal } from '#src/components/modal.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';

export interface Range {
  start_ip: string;
  end_ip: string;
}
interface RangeDialogProps {
  range: Range;
  onStart: (range: Range) => void;
  onClose: () => void;
}

const rangeBody = calls.searchDevices.body.omit({ request_id: true });
/** The most addresses one search looks at. */
export const mostAddresses = 1_024;
const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** What is wrong with a range besides its addresses: it must run upwards and be no longer than a search may be. */
function rangeIssue({ start_ip: from, end_ip: to }: Range): 'order' | 'size' | null {
  const length = numberOf(to) - numberOf(from) + 1;
  if (length < 1) return 'order';
  return length > mostAddresses ? 'size' : null;
}

/** Asks for the first and the last address of a range. */
export function RangeDialog({ range, onStart, onClose }: RangeDialogProps) {
  const words = useText();
  const { t } = words;
  const id = useId();
  const [typed, setTyped] = useState(range);
  const [tried, setTried] = useState(false);
  const result = rangeBody.safeParse(typed);
  const issues = result.success ? [] : toIssues(result.error);
  const wrong = result.success ? rangeIssue(result.data) : null;
  const issueOf = (field: keyof Range): string | undefined => {
    const found = issues.find(({ path }) => path[0] === field);
    if (found) return sayIssue(words, found);
    return field === 'end_ip' && wrong ? t(`areas.devices.search.wrong_${wrong}`, { count: mostAddresses }) : undefined;
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
      <form
        id="ip-range"
        className="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (result.success && !wrong) onStart(result.data);
        }}
      >
        {(['start_ip', 'end_ip'] as const).map((field) => {
          const issue = tried ? issueOf(field) : undefined;
          return (
            <FieldFrame key={field} id={`${id}-${field}`} path={field} label={t(`areas.devices.search.${field}`)} issue={issue} required={false}>
              <TextInput
                id={`${id}-${field}`}
                name={field}
                value={typed[field]}
                inputMode="decimal"
                autoComplete="off"
                placeholder={field === 'start_ip' ? '192.168.0.1' : '192.168.0.254'}
                invalid={issue !== undefined}
                aria-describedby={describedBy(`${id}-${field}`, undefined, issue)}
                onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
              />
            </FieldFrame>
          );
        })}
      </form>
    </Modal>
  );
}
