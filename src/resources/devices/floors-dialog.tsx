import type { FloorEntry } from '#models/device-settings.ts';
import { filledLines, type FloorLine, floorMapForm, nextLine } from '#models/forms/floor-map.ts';
import { AddChip } from '#src/components/chips.tsx';
import { Button } from '#src/components/button.tsx';
import { Modal } from '#src/components/modal.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useDraft } from '#src/views/use-form.ts';

interface FloorsDialogProps {
  map: readonly FloorEntry[];
  /** How many relays the controller has. */
  relays: number;
  onApprove: (map: FloorEntry[]) => void;
  onClose: () => void;
}
const texts = ['relay', 'floor', 'logic_address', 'apartments'] as const;
const flags = ['is_public', 'is_panel_floor'] as const;
const columns = ['relay', 'floor', 'logic_address', 'is_public', 'is_panel_floor', 'apartments'] as const;

function Line({
  line,
  at,
  issue,
  onChange,
  onRemove,
}: {
  line: FloorLine;
  at: number;
  issue: string | undefined;
  onChange: (part: Partial<FloorLine>) => void;
  onRemove: () => void;
}) {
  const { t } = useText();
  const nameOf = (key: string) => t(`areas.devices.fields.device_settings.lift_controller.settings.floor_map.${key}`);
  const label = (key: string) => `${nameOf(key)}, ${at + 1}`;
  return (
    <div role="row" className="floor-row" data-wrong={issue !== undefined}>
      {columns.map((key) => (
        <span role="cell" key={key} data-label={nameOf(key)}>
          {texts.includes(key as (typeof texts)[number]) ? (
            <TextInput
              value={String(line[key])}
              inputMode={key === 'relay' ? 'numeric' : 'text'}
              aria-label={label(key)}
              disabled={key === 'apartments' && line.is_panel_floor && line.apartments === ''}
              onChange={(event) => onChange({ [key]: event.target.value })}
            />
          ) : (
            <label className="box-area">
              <input
                type="checkbox"
                className="check"
                checked={line[key as (typeof flags)[number]]}
                aria-label={label(key)}
                onChange={(event) => onChange({ [key]: event.target.checked })}
              />
            </label>
          )}
        </span>
      ))}
      <span role="cell">
        <button type="button" className="icon-button" aria-label={t('areas.devices.floors.remove', { floor: line.floor })} onClick={onRemove}>
          <i className="pi pi-times" aria-hidden="true" />
        </button>
      </span>
      {issue && <p className="field-issue floor-issue">{issue}</p>}
    </div>
  );
}

/** The form of a lift controller: which relay gives which floor free, which floors are public, where panels hang, which flats are there. */
export default function FloorsDialog({ map, relays, onApprove, onClose }: FloorsDialogProps) {
  const words = useText();
  const { t } = words;
  const form = useDraft(floorMapForm, { map, relays }, (approved) => {
    onApprove(approved);
    onClose();
  });
  const { lines } = form.draft;
  const set = (next: readonly FloorLine[]): void => form.change({ lines: next });
  const issueAt = (at: number): string | undefined => {
    const found = form.issues.find(({ path }) => path[0] === at);
    return found && `${t(`areas.devices.fields.device_settings.lift_controller.settings.floor_map.${found.path[1]}`)}: ${sayIssue(words, found)}`;
  };
  return (
    <Modal
      width="wide"
      title={t('areas.devices.floors.title')}
      onDismiss={onClose}
      footer={
        <>
          {form.issues.length > 0 && (
            <span className="field-issue foot-apart" role="alert">
              {t('areas.devices.floors.wrong', { count: form.issues.length })}
            </span>
          )}
          <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
          <Button label={t('areas.devices.approve')} onClick={form.save} />
        </>
      }
    >
      <p className="quiet">{t('areas.devices.floors.lead', { count: relays })}</p>
      <div className="floor-grid" role="table" aria-label={t('areas.devices.floors.title')}>
        <div role="row" className="floor-row relay-head">
          {columns.map((key) => (
            <span role="columnheader" key={key}>
              {t(`areas.devices.fields.device_settings.lift_controller.settings.floor_map.${key}`)}
            </span>
          ))}
        </div>
        {lines.map((line, at) => (
          <Line
            // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place until it is approved
            key={at}
            line={line}
            at={at}
            issue={issueAt(at)}
            onChange={(part) => set(lines.map((one, index) => (index === at ? { ...one, ...part } : one)))}
            onRemove={() => set(lines.filter((_, index) => index !== at))}
          />
        ))}
      </div>
      <div className="chips">
        <AddChip label={t('areas.devices.floors.add')} onClick={() => set([...lines, nextLine(lines)])} />
        {lines.length === 0 && <AddChip label={t('areas.devices.floors.fill', { count: relays })} onClick={() => set(filledLines(relays))} />}
      </div>
    </Modal>
  );
}
