import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { FoundDevice } from '#models/devices.ts';
import { pooledDeviceForm } from '#models/forms/pooled-device.ts';
import { Button } from '#src/components/button.tsx';
import type { Chosen } from '#src/components/fields/field-props.ts';
import '#src/components/fields/fields.css';
import { Modal } from '#src/components/modal.tsx';
import { Failure } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { When } from '#src/components/when.tsx';
import { useRequest } from '#src/views/area/use-request.ts';
import { useForm } from '#src/views/use-form.ts';
import { RowChoice } from '#src/views/area/row-choice.tsx';

type Waiting = FoundDevice & { found_at: string };

/** The form for one device out of the pool: its name and its group. */
function Take({ device, onTaken, onBack }: { device: Waiting; onTaken: (id: string) => void; onBack: () => void }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const form = useForm(pooledDeviceForm, { model: device.model, serial: device.serial }, onTaken);
  const { change } = form;
  const { name, group } = form.draft;
  const take = useCallback((chosen: Chosen) => change({ group: chosen }), [change]);
  return (
    <form
      className="fields pool-take"
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
    >
      <p className="quiet">
        {device.model} · {device.serial} · {device.ip_address}
      </p>
      <label className="field">
        <span className="field-label">{t('areas.devices.fields.name')}</span>
        <TextInput value={name} maxLength={31} onChange={(event) => change({ name: event.target.value })} />
      </label>
      <div className="field">
        <span className="field-label">{t('areas.devices.fields.domain')}</span>
        <RowChoice area="groups" label={t('areas.devices.search.choose_group')} value={group} onChange={take} />
      </div>
      {form.problem && (
        <p className="field-issue" role="alert">
          {sayProblem(form.problem)}
        </p>
      )}
      <div className="row">
        <Button tone="plain" label={t('list.filters.back')} onClick={onBack} />
        <Button type="submit" label={t('areas.devices.pool.take')} loading={form.running} disabled={form.wrong.length > 0} />
      </div>
    </form>
  );
}

/** Devices that earlier searches found and that are in no project yet: one is taken out, named and put into a group. */
export default function PoolDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const { answer, problem, run } = useRequest('devicePool');
  const [chosen, setChosen] = useState<Waiting>();
  useEffect(() => run({}), [run]);
  return (
    <Modal title={t('areas.devices.pool.title')} onDismiss={onClose} footer={<Button tone="plain" label={t('list.close')} onClick={onClose} />}>
      {problem && <Failure problem={problem} onRetry={() => run({})} />}
      {!answer && !problem && <SkeletonLines lines={4} label={t('list.loading')} />}
      {answer && !chosen && (
        <>
          <p className="quiet">{t(answer.length > 0 ? 'areas.devices.pool.lead' : 'areas.devices.pool.empty')}</p>
          <ul className="lines">
            {answer.map((device) => (
              <li key={device.serial}>
                <button type="button" className="line-button" onClick={() => setChosen(device)}>
                  <span>
                    {device.model}
                    <span className="cell-sub">
                      {device.serial} · {device.ip_address}
                    </span>
                  </span>
                  <span className="line-end">
                    <When at={device.found_at} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {chosen && (
        <Take
          device={chosen}
          onBack={() => setChosen(undefined)}
          onTaken={(id) => {
            onClose();
            void navigate(`/devices/${id}/edit`);
          }}
        />
      )}
    </Modal>
  );
}
