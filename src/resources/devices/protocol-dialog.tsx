import { anyDeviceProtocol, type Device } from '#models/devices.ts';
import { deviceProtocolForm } from '#models/forms/device-protocol.ts';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import type { ActionProps } from '#src/views/area/resource.ts';
import { useForm } from '#src/views/use-form.ts';

/** Changes over how the device is spoken to, with what each way means. */
export default function ProtocolDialog({ row, close, reload }: ActionProps<Device>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const form = useForm(deviceProtocolForm, { id: row.id, protocol: row.protocol }, () => {
    reload();
    close();
  });
  const { protocol } = form.draft;
  return (
    <Modal
      title={t('areas.devices.actions.set_protocol')}
      onDismiss={form.running ? undefined : close}
      footer={
        <>
          <Button tone="plain" label={t('list.cancel')} disabled={form.running} onClick={close} />
          <Button label={t('areas.devices.command.change_over')} loading={form.running} disabled={!form.changed} onClick={form.save} />
        </>
      }
    >
      <div role="radiogroup" aria-label={t('areas.devices.fields.protocol')} className="choice-lines">
        {anyDeviceProtocol.map((word) => (
          <label key={word} className="choice-line">
            <input type="radio" className="check" name="protocol" checked={protocol === word} onChange={() => form.change({ protocol: word })} />
            <span>
              <strong>{t(`areas.devices.options.protocol.${word}`)}</strong>
              <span className="cell-sub choice-note">{t(`areas.devices.protocol_means.${word}`)}</span>
            </span>
          </label>
        ))}
      </div>
      {form.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(form.problem)}
        </p>
      )}
    </Modal>
  );
}
