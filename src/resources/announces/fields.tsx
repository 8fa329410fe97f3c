import { announceChannels } from '#models/announces.ts';
import { AddChip } from '#src/components/chips.tsx';
import type { FieldProps } from '#src/components/fields/field-props.ts';
import { TextInput } from '#src/components/text-input.tsx';
import { useText } from '#src/components/text.ts';
import '#src/views/announces/announces.css';

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The ways besides the console. */
export function ChannelsField({ id, value, onChange, readOnly, label, describedBy }: FieldProps) {
  const { t } = useText();
  const chosen = listOf(value);
  return (
    <fieldset className="channel-lines" aria-label={label} aria-describedby={describedBy} disabled={readOnly}>
      {announceChannels.map((channel, at) => (
        <label key={channel} className="channel-line">
          <input
            type="checkbox"
            className="check"
            id={at === 0 ? id : undefined}
            checked={chosen.includes(channel)}
            onChange={({ target }) => onChange(announceChannels.filter((one) => (one === channel ? target.checked : chosen.includes(one))))}
          />
          {t(`areas.announces.options.send_via.${channel}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** The answers of a poll, one a line. */
export function AnswersField({ id, value, onChange, readOnly, label, invalid, describedBy }: FieldProps) {
  const { t } = useText();
  const answers = listOf(value);
  if (readOnly)
    return (
      <ul className="lines">
        {answers.map((answer) => (
          <li key={answer} className="line" dir="auto">
            {answer}
          </li>
        ))}
        {answers.length === 0 && <li className="field-value-none">{t('list.none')}</li>}
      </ul>
    );
  return (
    <div className="answer-lines" id={id} role="group" aria-label={label} aria-describedby={describedBy}>
      {answers.map((answer, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is known by its place
        <div className="answer-line" key={at}>
          <TextInput
            aria-label={t('areas.announces.answer.name', { number: at + 1 })}
            placeholder={t('areas.announces.answer.name', { number: at + 1 })}
            maxLength={100}
            invalid={invalid && answer.trim() === ''}
            value={answer}
            onChange={({ target }) => onChange(answers.map((one, index) => (index === at ? target.value : one)))}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={t('areas.announces.answer.remove', { name: answer || String(at + 1) })}
            onClick={() => onChange(answers.filter((_, index) => index !== at))}
          >
            <i className="pi pi-times" aria-hidden="true" />
          </button>
        </div>
      ))}
      {answers.length < 20 && <AddChip label={t('areas.announces.answer.add')} onClick={() => onChange([...answers, ''])} />}
    </div>
  );
}
