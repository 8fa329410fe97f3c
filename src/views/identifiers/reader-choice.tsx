import { useId, useState } from 'react';
import type { CardReader } from '#models/enrolment.ts';
import { EmptyState } from '#src/components/empty-state.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import '../devices/devices.css';

interface ReaderChoiceProps {
  readers: readonly CardReader[];
  chosen: CardReader | undefined;
  locked: boolean;
  onChoose: (reader: CardReader) => void;
}

/** So many readers are seen at a glance; more are searched. */
const atAGlance = 6;

/** The readers a card can be read at, the one used last on top; those that are offline cannot be chosen. */
export function ReaderChoice({ readers, chosen, locked, onChoose }: ReaderChoiceProps) {
  const { t } = useText();
  const [words, setWords] = useState('');
  const ids = { group: useId(), search: useId() };
  const wanted = words.trim().toLowerCase();
  const found = readers.filter(({ name, group }) => `${name} ${group ?? ''}`.toLowerCase().includes(wanted));
  if (readers.length === 0) return <EmptyState icon="pi-id-card" text={t('areas.identifiers.enrol.no_readers')} />;
  return (
    <fieldset className="reader-choice" disabled={locked}>
      <legend className="field-label">{t('areas.identifiers.enrol.where')}</legend>
      {readers.length > atAGlance && (
        <TextInput
          id={ids.search}
          type="search"
          autoFocus
          value={words}
          placeholder={t('areas.identifiers.enrol.search')}
          aria-label={t('areas.identifiers.enrol.search')}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      <div className="reader-list">
        {found.map((reader) => (
          <label key={reader.id} className="reader" data-off={reader.online === false}>
            <input
              type="radio"
              name={ids.group}
              checked={chosen?.id === reader.id}
              disabled={reader.online === false}
              onChange={() => onChoose(reader)}
            />
            <span className="reader-name">
              {reader.name}
              {reader.group && <span className="cell-sub">{reader.group}</span>}
            </span>
            {reader.online === false && (
              <span className="status-mark" data-status="offline">
                {t('areas.identifiers.enrol.offline')}
              </span>
            )}
          </label>
        ))}
        {found.length === 0 && <p className="quiet">{t('areas.identifiers.enrol.none_found')}</p>}
      </div>
    </fieldset>
  );
}
