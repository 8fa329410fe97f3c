import { useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import type { DeviceSearch, PutOutcome } from '#models/device-calls.ts';
import type { FoundDevice } from '#models/devices.ts';
import type { Problem } from '#models/problem.ts';
import { Button } from '#src/components/button.tsx';
import { EmptyState } from '#src/components/empty-state.tsx';
import type { Chosen } from '#src/components/fields/field-props.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useProblemText, useText } from '#src/components/text.ts';
import { useRequest } from '../area/use-request.ts';
import { RowChoice } from '../area/row-choice.tsx';

const firstName = ({ model, serial }: FoundDevice): string => `${model} ${serial.slice(-4)}`.slice(0, 31);

interface LineProps {
  device: FoundDevice;
  chosen: boolean;
  name: string;
  outcome: PutOutcome | undefined;
  onToggle: () => void;
  onName: (name: string) => void;
}

function State({ device, outcome }: Pick<LineProps, 'device' | 'outcome'>) {
  const { t } = useText();
  const sayProblem = useProblemText();
  if (outcome?.id)
    return (
      <Link className="tag tag-good" to={`/devices/${outcome.id}/edit`}>
        {t('areas.devices.search.added')}
      </Link>
    );
  if (outcome?.problem) return <span className="field-issue">{sayProblem(outcome.problem as Problem)}</span>;
  return device.is_known ? <span className="tag">{device.name ?? t('areas.devices.search.known')}</span> : null;
}

function Line({ device, chosen, name, outcome, onToggle, onName }: LineProps) {
  const { t } = useText();
  const free = !device.is_known && !outcome?.id;
  return (
    <li className="found-line">
      <label className="box-area">
        <input
          type="checkbox"
          className="check"
          disabled={!free}
          checked={free && chosen}
          aria-label={`${device.model} ${device.serial}`}
          onChange={onToggle}
        />
      </label>
      <span>
        {t(`areas.devices.options.type.${device.type}`)} · {device.model}
        <span className="cell-sub">{device.serial}</span>
      </span>
      <span className="quiet">
        {device.ip_address}:{device.port}
        {device.firmware && <span className="cell-sub">{t('areas.devices.search.firmware', { version: device.firmware })}</span>}
      </span>
      <span>
        {free && chosen && (
          <TextInput
            value={name}
            maxLength={31}
            aria-label={`${t('areas.devices.fields.name')}: ${device.serial}`}
            onChange={(event) => onName(event.target.value)}
          />
        )}
        <State device={device} outcome={outcome} />
      </span>
    </li>
  );
}

/** What a search has found so far: chosen ones get a name each and go into one group together. */
export function FoundDevices({ search, running }: { search: DeviceSearch; running: boolean }) {
  const { t } = useText();
  const sayProblem = useProblemText();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [group, setGroup] = useState<Chosen | null>(null);
  const [outcomes, setOutcomes] = useState<readonly PutOutcome[]>([]);
  const put = useRequest('putFoundDevices', { done: (answer) => setOutcomes((before) => [...before.filter(({ id }) => id), ...answer]) });
  const take = useCallback((row: Chosen) => setGroup(row), []);
  const outcomeOf = (serial: string) => outcomes.find((outcome) => outcome.serial === serial);
  const ready = search.found.filter((device) => chosen.has(device.serial) && !device.is_known && !outcomeOf(device.serial)?.id);
  const toggle = (serial: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(serial)) next.add(serial);
      return next;
    });
  if (search.found.length === 0) return running ? null : <EmptyState icon="pi-wifi" text={t('areas.devices.search.none')} />;
  const items = ready.map((device) => ({ serial: device.serial, name: (names[device.serial] ?? firstName(device)).trim() }));
  return (
    <>
      <ul className="found-lines" aria-label={t('areas.devices.search.found', { count: search.found.length })}>
        {search.found.map((device) => (
          <Line
            key={device.serial}
            device={device}
            chosen={chosen.has(device.serial)}
            name={names[device.serial] ?? firstName(device)}
            outcome={outcomeOf(device.serial)}
            onToggle={() => toggle(device.serial)}
            onName={(name) => setNames((before) => ({ ...before, [device.serial]: name }))}
          />
        ))}
      </ul>
      <footer className="list-foot found-foot">
        <RowChoice area="groups" label={t('areas.devices.search.choose_group')} value={group} onChange={take} />
        {put.problem && <span className="field-issue">{sayProblem(put.problem)}</span>}
        <Button
          label={t('areas.devices.search.put', { count: ready.length })}
          disabled={ready.length === 0 || !group || items.some(({ name }) => name === '')}
          loading={put.running}
          onClick={() => group && put.run({ body: { request_id: search.request_id, domain: group.id, items } })}
        />
      </footer>
    </>
  );
}
