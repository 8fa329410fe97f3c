import { TextInput } from '#src/components/text-input.tsx';
import { Button } from '#src/components/button.tsx';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import type { Chosen } from './fields/field-props.ts';
import { Chip } from './chips.tsx';
import { DialogLayer } from './dialog-layer.tsx';
import { useText } from './text.ts';
import './controls.css';
import './picker-sheet.css';

/** A row that may be chosen, with a second line that tells namesakes apart. */
export interface Candidate extends Chosen {
  second?: string | undefined;
  /** What it is called once it is chosen, where that is not its name. */
  full?: string;
  /** Shown, with the reason as its second line, but not to be chosen. */
  refused?: boolean;
}

interface PickerSheetProps {
  title: string;
  multiple: boolean;
  search: string;
  rows: readonly Candidate[];
  chosen: readonly Chosen[];
  total: number;
  state: 'loading' | 'ready' | 'more' | 'failed';
  problem: string | undefined;
  /** Beside the search: a filter of the area's own. */
  extra?: ReactNode;
  onSearch: (text: string) => void;
  onToggle: (row: Candidate) => void;
  onMore: () => void;
  onRetry: () => void;
  onDone: () => void;
  onClose: () => void;
}

/** Arrow keys move the focus between the candidates; from the search field down into the list, and back up. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Line({ row, multiple, on, onToggle }: { row: Candidate; multiple: boolean; on: boolean; onToggle: (row: Candidate) => void }) {
  return (
    <li role="none">
      <button
        type="button"
        data-stop
        className="sheet-line"
        role={multiple ? 'checkbox' : 'radio'}
        aria-checked={on}
        disabled={row.refused === true && !on}
        onClick={() => onToggle(row)}
      >
        <i className={`pi ${on ? 'pi-check' : ''}`} aria-hidden="true" />
        {row.color && <span className="sheet-color" style={{ background: row.color }} aria-hidden="true" />}
        <span className="sheet-name">
          {row.name}
          {row.second && <span className="cell-sub">{row.second}</span>}
        </span>
      </button>
    </li>
  );
}

function Lines({ rows, chosen, multiple, state, problem, total, onToggle, onMore, onRetry, title }: PickerSheetProps) {
  const { t } = useText();
  const ids = new Set(chosen.map(({ id }) => id));
  if (state === 'loading' && rows.length === 0) {
    return (
      <div className="sheet-bones" role="status" aria-label={t('list.loading')}>
        {Array.from({ length: 6 }, (_, at) => (
          <span key={at} className="bone" data-width={at % 4} />
        ))}
      </div>
    );
  }
  return (
    <>
      <ul className="sheet-lines" aria-label={title} role={multiple ? 'group' : 'radiogroup'} data-busy={state === 'loading'}>
        {rows.map((row) => (
          <Line key={row.id} row={row} multiple={multiple} on={ids.has(row.id)} onToggle={onToggle} />
        ))}
      </ul>
      {state === 'failed' && (
        <p className="field-issue sheet-note" role="alert">
          {problem} <Button tone="quiet" small label={t('list.retry')} onClick={onRetry} />
        </p>
      )}
      {state !== 'failed' && rows.length === 0 && <p className="field-hint sheet-note">{t('list.picker.nothing')}</p>}
      {rows.length < total && state !== 'failed' && (
        <Button
          tone="quiet"
          className="sheet-more"
          label={t('list.picker.more', { count: total - rows.length })}
          loading={state === 'more'}
          onClick={onMore}
        />
      )}
    </>
  );
}

/** The sheet from the bottom in which rows of another area are chosen: one, or several as chips. */
export function PickerSheet(props: PickerSheetProps) {
  const { title, multiple, search, chosen, extra, onSearch, onToggle, onDone, onClose } = props;
  const { t } = useText();
  const titleId = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <DialogLayer className="sheet" labelledBy={titleId} onDismiss={onClose}>
      <div className="sheet-body" onKeyDown={moveFocus}>
        <header className="sheet-head">
          <h2 id={titleId} className="sheet-title">
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label={t('list.close')} onClick={onClose}>
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </header>
        <div className="sheet-tools">
          <TextInput
            ref={field}
            type="search"
            data-stop
            value={search}
            placeholder={t('list.picker.search')}
            aria-label={t('list.picker.search')}
            onChange={(event) => onSearch(event.target.value)}
          />
          {extra}
        </div>
        {multiple && chosen.length > 0 && (
          <div className="chips sheet-chosen" aria-label={t('list.picker.chosen', { count: chosen.length })} role="group">
            {chosen.map((row) => (
              <Chip key={row.id} color={row.color} onRemove={() => onToggle(row)} removeLabel={t('list.fields.remove', { name: row.name })}>
                {row.name}
              </Chip>
            ))}
          </div>
        )}
        <div className="sheet-scroll">
          <Lines {...props} />
        </div>
        {multiple && (
          <div className="sheet-foot">
            <Button tone="plain" label={t('list.cancel')} onClick={onClose} />
            <Button label={t('list.picker.choose', { count: chosen.length })} onClick={onDone} />
          </div>
        )}
      </div>
    </DialogLayer>
  );
}
