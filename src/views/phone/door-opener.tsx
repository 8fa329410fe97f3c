import { useId, useState } from 'react';
import { Button } from '#src/components/button.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import type { CallProps } from './call-card.tsx';

const longest = 255;

/** Opens the door of the panel one talks with; a reason, where one is given, goes on record with the call. */
export function DoorOpener({ call, send }: CallProps) {
  const { t } = useText();
  const id = useId();
  const [reason, setReason] = useState('');
  const { run } = useRequest('explainOpening');
  const { speechId, recordId } = call;
  const open = (): void => {
    send({ type: 'call.openDoor', speechId });
    if (reason.trim() === '') return;
    run({ params: { speechId: recordId }, body: { reason: reason.trim() } });
    setReason('');
  };
  return (
    <div className="door-opener">
      <label className="unseen" htmlFor={id}>
        {t('phone.note.reason')}
      </label>
      <TextInput
        id={id}
        className="grow"
        maxLength={longest}
        autoComplete="off"
        placeholder={t('phone.note.reason')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button icon="pi-lock-open" label={t('phone.open_door')} onClick={open} />
    </div>
  );
}
