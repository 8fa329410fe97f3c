import { useEffect } from 'react';
import { controllerModes, type ControllerMode } from '#models/elevators.ts';
import { AddChip } from '#src/components/chips.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { useText } from '#src/components/text.ts';
import { asPicked, type ControllerLine, controllersIn } from './draft.ts';
import './elevators.css';

/** One controller: which device, and what it is for. */
function Line({
  line,
  readOnly,
  onMode,
  onRemove,
}: {
  line: ControllerLine;
  readOnly: boolean;
  onMode: (mode: ControllerMode) => void;
  onRemove: () => void;
}) {
  const { t } = useText();
  const { device, mode } = line;
  return (
    <li className="controller-line">
      <span className="controller-name">{device.name}</span>
      {readOnly ? (
        <span className="quiet">{t(`areas.elevators.options.controllers.mode.${mode}`)}</span>
      ) : (
        <>
          <select
            className="plain-select"
            aria-label={t('areas.elevators.mode_of', { name: device.name })}
            value={mode}
            onChange={({ target }) => onMode(controllerModes.find((word) => word === target.value) ?? mode)}
          >
            {controllerModes.map((word) => (
              <option key={word} value={word}>
                {t(`areas.elevators.options.controllers.mode.${word}`)}
              </option>
            ))}
          </select>
          <button type="button" className="icon-button" aria-label={t('list.fields.remove', { name: device.name })} onClick={onRemove}>
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </>
      )}
    </li>
  );
}

/** The devices that control an elevator, each with what it is for. */
export function ControllersField({ id, path, value, onChange, readOnly, pick, label, describedBy }: FieldProps) {
  const { t } = useText();
  const { lines, isFresh } = controllersIn(value);
  // The sheet hands back devices; the draft holds controllers, so that it can be checked and sent.
  useEffect(() => {
    if (isFresh) onChange(lines);
    // oxlint-disable-next-line react/exhaustive-deps -- once for what the sheet has handed back
  }, [isFresh]);
  return (
    <div role="group" aria-label={label} aria-describedby={describedBy}>
      {lines.length > 0 && (
        <ul className="controller-lines">
          {lines.map((line, at) => (
            <Line
              key={line.device.id}
              line={line}
              readOnly={readOnly}
              onMode={(mode) => onChange(lines.map((other, place) => (place === at ? { ...other, mode } : other)))}
              onRemove={() => onChange(lines.filter((_, place) => place !== at))}
            />
          ))}
        </ul>
      )}
      {readOnly && lines.length === 0 && <span className="field-value-none">{t('list.none')}</span>}
      {!readOnly && (
        <AddChip
          id={id}
          label={t('areas.elevators.add_controller')}
          onClick={() => pick?.({ area: 'devices', multiple: true, path, chosen: lines.map(asPicked) })}
        />
      )}
    </div>
  );
}
