import { useId } from 'react';
import { callDirections } from '#models/elevator-events.ts';
import { callElevatorForm } from '#models/forms/call-elevator.ts';
import { Button } from '#src/components/button.tsx';
import '#src/components/fields/fields.css';
import { Modal } from '#src/components/modal.tsx';
import { Failure, ProblemText } from '#src/components/problem-text.tsx';
import { SkeletonLines } from '#src/components/skeletons.tsx';
import { TextInput } from '#src/components/text-input.tsx';
import { sayIssue, useText } from '#src/components/text.ts';
import { useReading } from '../area/use-reading.ts';
import { issueOf, useForm } from '../use-form.ts';
import { useSubmit } from '../use-submit.ts';
import './call-dialog.css';

/** The floors of an elevator as a panel: the highest on top, one of them may be pressed. */
function FloorChoice({ elevator, chosen, onChoose }: { elevator: string; chosen: string; onChoose: (floor: string) => void }) {
  const { t } = useText();
  const name = useId();
  const { answer, problem, reload } = useReading('elevatorFloors', { params: { id: elevator }, query: {} });
  if (problem) return <Failure problem={problem} onRetry={reload} />;
  if (!answer) return <SkeletonLines label={t('list.loading')} />;
  return (
    <div className="floor-choice">
      {answer.toReversed().map((floor) => (
        <label key={floor.number} className="floor-button">
          <input
            type="radio"
            name={name}
            value={floor.number}
            checked={chosen === String(floor.number)}
            onChange={({ target }) => onChoose(target.value)}
          />
          <span>{floor.name}</span>
        </label>
      ))}
    </div>
  );
}

/** Calls an elevator to a floor, or to that of an apartment, and says whether its controller has confirmed. */
export function CallElevatorDialog({ elevator: { id, name }, onClose }: { elevator: { id: string; name: string }; onClose: () => void }) {
  const words = useText();
  const { t } = words;
  const form = useForm(callElevatorForm, { id });
  const { draft, change, answer, problem } = form;
  const ids = { form: useId(), apartment: useId(), direction: useId() };
  const submit = useSubmit(form);
  const found = form.issues[0];
  const wrongApartment = issueOf(form.issues, 'apartment');
  return (
    <Modal
      title={t('areas.elevators.call.title', { name })}
      onDismiss={onClose}
      footer={
        <>
          <Button tone="plain" label={t('list.close')} onClick={onClose} />
          <Button icon="pi-sort-alt" label={t('areas.elevators.call.call')} loading={form.running} type="submit" form={ids.form} />
        </>
      }
    >
      <form id={ids.form} className="fields call-elevator" {...submit}>
        <fieldset className="field" data-invalid={issueOf(form.issues, 'floor') !== undefined}>
          <legend className="field-label">{t('areas.elevators.call.floor')}</legend>
          <FloorChoice elevator={id} chosen={draft.floor} onChoose={(floor) => change({ floor, apartment: '' })} />
        </fieldset>
        <div className="call-elevator-rest">
          <label className="field" htmlFor={ids.apartment}>
            <span className="field-label">{t('areas.elevators.call.apartment')}</span>
            <TextInput
              id={ids.apartment}
              value={draft.apartment}
              maxLength={31}
              autoComplete="off"
              aria-invalid={wrongApartment !== undefined}
              onChange={({ target }) => change({ apartment: target.value, floor: '' })}
            />
          </label>
          <fieldset className="field">
            <legend className="field-label">{t('areas.elevators.call.direction')}</legend>
            {callDirections.map((direction) => (
              <label key={direction} className="field-flag">
                <input type="radio" name={ids.direction} checked={draft.direction === direction} onChange={() => change({ direction })} />
                <i className={`pi pi-arrow-${direction}`} aria-hidden="true" />
                {t(`areas.elevators.call.directions.${direction}`)}
              </label>
            ))}
          </fieldset>
        </div>
        {found && (
          <p className="field-issue call-outcome" role="alert">
            {sayIssue(words, found)}
          </p>
        )}
        {problem && !found && (
          <p className="field-issue call-outcome" role="alert">
            <ProblemText problem={problem} />
          </p>
        )}
        {answer && !form.running && !problem && (
          <p className={answer.outcome === 'confirmed' ? 'notice notice-info call-outcome' : 'notice notice-warn call-outcome'} role="status">
            {t(`areas.elevators.call.${answer.outcome}`, { floor: answer.floor })}
          </p>
        )}
      </form>
    </Modal>
  );
}
