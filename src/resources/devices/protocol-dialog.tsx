import { useState } from 'react';
import { anyDeviceProtocol, type Device, type DeviceProtocol } from '#models/devices.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useRequest } from '#src/views/area/use-request.ts';

/** Changes over how the device is spoken to, with what each way means. */
export default function ProtocolDialog({ row, close, reload }: ActionProps<Device>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const [protocol, setProtocol] = useState<DeviceProtocol>(row.protocol);
  const request = useRequest('setDeviceProtocol', {
    done: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      title={t('areas.devices.actions.set_protocol')}
      onDismiss={request.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={request.running} onClick={close} />
          <Button
            label={t('areas.devices.command.change_over')}
            loading={request.running}
            disabled={protocol === row.protocol}
            onClick={() => request.run({ params: { id: row.id }, body: { protocol } })}
          />
        </>
      }
    >
      <div role="radiogroup" aria-label={t('areas.devices.fields.protocol')} className="choice-lines">
        {anyDeviceProtocol.map((word) => (
          <label key={word} className="choice-line">
            <input type="radio" className="check" name="protocol" checked={protocol === word} onChange={() => setProtocol(word)} />
            <span>
              <strong>{t(`areas.devices.options.protocol.${word}`)}</strong>
              <span className="cell-sub choice-note">{t(`areas.devices.protocol_means.${word}`)}</span>
            </span>
          </label>
        ))}
      </div>
      {request.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(request.problem)}
        </p>
      )}
    </Modal>
  );
}
